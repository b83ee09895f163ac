package cli

import (
	"runtime/debug"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
)

// module is the path of this module.
const module = "github.com/skainet-dev/skainet-go"

// versionOf returns what --version prints of a build: the version of this module, where the go
// command knows it, and that of IREE, whose compiler and runtime fit.
func versionOf(b *debug.BuildInfo) string {
	number := "unpublished"
	if b != nil {
		for _, m := range append([]*debug.Module{&b.Main}, b.Deps...) {
			if m.Path == module && m.Version != "" && m.Version != "(devel)" {
				number = m.Version
			}
		}
	}
	return number + ", for IREE " + target.IREEVersion()
}

// version is that of this program.
func version() string {
	b, _ := debug.ReadBuildInfo()
	return versionOf(b)
}
