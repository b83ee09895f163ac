package command

import (
	"strings"

	"github.com/spf13/cobra"
)

// Flag is a flag that several commands have, with one name and one meaning in all.
type Flag struct {
	Name  string
	Short string // letter, or empty
	Help  string
	Old   []Old // earlier spellings
}

// Old is an earlier spelling of a flag: it is accepted as the flag itself, and help does
// not show it.
type Old struct{ Name, Short string }

// The flags that several commands have.
var (
	FlagArchive      = Flag{Name: "archive", Help: "archive of weights, `[scope=]file`; the default scope is model; may be repeated"}
	FlagCompiler     = Flag{Name: "compiler", Help: "iree-compile `file`", Old: []Old{{Name: "iree-compile"}}}
	FlagCompilerFlag = Flag{Name: "flag", Help: "`flag` of iree-compile, as in --flag=--iree-opt-level=O2; may be repeated"}
	FlagContract     = Flag{Name: "contract", Help: "contract `file` of the program"}
	FlagDevice       = Flag{Name: "device", Help: "`device` to run on: cpu, or a driver of the runtime such as vulkan, with ://PATH after it for one of its devices"}
	FlagEntry        = Flag{Name: "entry", Help: "entry point's `name`; optional if there is only one"}
	FlagJobs         = Flag{Name: "jobs", Help: "cores to use, 0 for all"}
	FlagLibrary      = Flag{Name: "library", Help: "libireert.so `file`"}
	FlagLinker       = Flag{Name: "linker", Help: "iree-lld `file`; programs for CPUs need it", Old: []Old{{Name: "lld"}}}
	FlagLevel        = Flag{Name: "level", Help: "`name` of an optimisation level; latency by default"}
	FlagOutput       = Flag{Name: "output", Short: "o", Help: "`file` to write in place of the standard output"}
	FlagPlugin       = Flag{Name: "plugin", Help: "`file` of XLA's plugin; SKAINET_PJRT_PLUGIN, or the one next to this program, by default"}
	FlagPrefix       = Flag{Name: "prefix", Help: "`prefix` of the files to write", Old: []Old{{"output", "o"}}}
	FlagResults      = Flag{Name: "results", Help: "`folder` for all results as NAME.npy, created if it does not exist, or name=file.npy for one; may be repeated; --output is the same", Old: []Old{{"output", "o"}}}
	FlagThreads      = Flag{Name: "threads", Help: "threads on a CPU, 0 for one per core", Old: []Old{{Name: "workers"}}}
	FlagTokenizer    = Flag{Name: "tokenizer", Help: "`file` with the tokenizer, in place of the one next to this program"}
	FlagRunner       = Flag{Name: "runner", Help: "static runner `file` for the program's processor, used in place of library and tool"}
	FlagWeightForm   = Flag{Name: "weight-form", Help: "`form` of weights in blocks on XLA: packed, which each call unpacks, or unpacked, which takes more memory; what the memory has room for by default"}
	FlagTool         = Flag{Name: "tool", Help: "iree-run-module `file`, used if there is no library", Old: []Old{{Name: "iree-run-module"}}}
	FlagToolPrefix   = Flag{Name: "tool-prefix", Help: "`word` to put before the tool, such as an emulator; may be repeated"}
)

// Says returns the flag with the command's own help text.
func (f Flag) Says(help string) Flag { f.Help = help; return f }

// Text declares the flag as a string.
func (f Flag) Text(cmd *cobra.Command, to *string, value string) {
	cmd.Flags().StringVarP(to, f.Name, f.Short, value, f.Help)
	f.old(cmd)
}

// Texts declares the flag as a string that may be repeated.
func (f Flag) Texts(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringArrayVarP(to, f.Name, f.Short, nil, f.Help)
	f.old(cmd)
}

// Count declares the flag as a number of cores.
func (f Flag) Count(cmd *cobra.Command, to *int) {
	cmd.Flags().VarP((*Cores)(to), f.Name, f.Short, f.Help)
	f.old(cmd)
}

// old declares the earlier spellings.
func (f Flag) old(cmd *cobra.Command) {
	flag := cmd.Flags().Lookup(f.Name)
	for _, o := range f.Old {
		cmd.Flags().VarP(alias{flag.Value, &flag.Changed}, o.Name, o.Short, f.Help)
		cmd.Flags().Lookup(o.Name).Hidden = true
	}
}

// alias sets the value of another flag.
type alias struct {
	value interface {
		Set(string) error
		String() string
		Type() string
	}
	changed *bool
}

// Set sets the other flag.
func (a alias) Set(text string) error {
	if err := a.value.Set(text); err != nil {
		return err
	}
	*a.changed = true
	return nil
}

func (a alias) String() string { return a.value.String() }

// Type is the name of a value in help texts.
func (a alias) Type() string { return a.value.Type() }

// DefaultScope is that of a model's weights.
const DefaultScope = "model"

// Scoped splits SCOPE=FILE, a value of FlagArchive; FILE alone has the scope "model". A
// path may contain an equals sign too; a scope contains neither slash nor dot.
func Scoped(text string) (scope, path string) { return scoped(text, DefaultScope) }

func scoped(text, otherwise string) (scope, path string) {
	scope, path, ok := strings.Cut(text, "=")
	if !ok || scope == "" || strings.ContainsAny(scope, "/.") {
		return otherwise, text
	}
	return scope, path
}

// Archives returns the paths of each scope, of values of FlagArchive in their order.
// Those without a scope get the scope otherwise.
func Archives(texts []string, otherwise string) map[string][]string {
	paths := map[string][]string{}
	for _, text := range texts {
		scope, path := scoped(text, otherwise)
		paths[scope] = append(paths[scope], path)
	}
	return paths
}
