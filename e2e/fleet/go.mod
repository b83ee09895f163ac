module example.com/fleet

go 1.26.0

require (
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/skainet-dev/skainet-go v0.1.0
)
