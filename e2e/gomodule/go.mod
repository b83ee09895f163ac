module example.com/gomodule

go 1.26.0

require github.com/skainet-dev/skainet-go v0.1.0
