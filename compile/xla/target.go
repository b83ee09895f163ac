package xla

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// Target is what XLA's programs are compiled for: the platform of a plugin. The plugin
// itself decides for which of its devices. The table is that of toolchains/xla/targets.bzl,
// which build rules use; targets.json is written from it:
//
//	bazel build //toolchains/xla:targets_json
type Target struct {
	Name     string `json:"name"`
	Platform string `json:"platform"` // of the plugin's devices, as they name it
	// Plugins are the names of the files of its plugins, in the order in which they are looked for.
	Plugins []string `json:"plugins"`
	Doc     string   `json:"doc"`
	// Pinned reports whether toolchains/xla pins a plugin for it, for some machines; another
	// one is named by its path.
	Pinned bool `json:"pinned"`
	// Run reports whether the tests run its programs.
	Run bool `json:"run"`
}

//go:embed targets.json
var document []byte

// targets is read when it is first asked for: most commands do not.
var targets = sync.OnceValue(func() []Target {
	var t struct {
		Targets []Target `json:"targets"`
	}
	if err := json.Unmarshal(document, &t); err != nil {
		panic("targets.json: " + err.Error()) // a fault of what writes it, found by any test
	}
	return t.Targets
})

// CodeTarget is the code of an unknown target.
const CodeTarget errs.Code = "XLA_TARGET" // smallest input: --target=xla_toaster

// Targets returns the targets, that of processors first.
func Targets() []Target { return slices.Clone(targets()) }

// IsTarget reports whether a name is one of a target for XLA, which it may lack.
func IsTarget(name string) bool { return strings.HasPrefix(name, "xla_") }

// FindTarget returns the target of a name.
func FindTarget(name string) (Target, error) {
	var names []string
	for _, t := range targets() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Target{}, errs.New(CodeTarget, "unknown target %q", name).Hint("use one of %s", strings.Join(names, ", "))
}
