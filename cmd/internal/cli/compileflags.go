package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// made is what compile makes, and of what; a set of them says what a flag is for.
type made int

const (
	madeIREE     made = 1 << iota // a program for IREE, of a text
	madeProgram                   // a program for IREE, of a model
	madeXLA                       // programs of a plugin, of a model
	madePortable                  // the graph without code, of a model
	madeArtifact                  // an artifact of StableHLO, of a model
	madeText                      // the text of a model
	madeBack                      // the text of an artifact

	ofSizes     = madeXLA | madePortable | madeArtifact | madeText
	ofModels    = madeProgram | ofSizes
	ofIREE      = madeIREE | madeProgram
	ofPrograms  = ofIREE | madeXLA | madePortable
	ofArtifacts = madeArtifact | madeBack
	ofAll       = ofPrograms | ofModels | ofArtifacts
)

// flagUse says what flags of compile are for: is ends the sentence "--NAME is for ...".
type flagUse struct {
	names    []string
	made     made
	is, hint string
}

// modelFlags is the row of the flags that say how a model file is read.
var modelFlags = flagUse{
	nil, ofModels, "targets of XLA, --emit of a model, and model files that are no text", "for IREE import the text first: skainet import, then skainet export",
}

// flagUses are the flags of compile, but for those of an import, which are as modelFlags.
var flagUses = []flagUse{
	{[]string{"sizes"}, ofSizes, "targets of XLA, and --emit of a model", "for IREE --shape fixes the sizes of a model file"},
	{[]string{"weights"}, madeProgram, "graph files that are compiled for IREE", "leave it out"},
	{[]string{command.FlagOutput.Name, "emit"}, ofAll, "", ""},
	{[]string{command.FlagCompiler.Name, command.FlagLinker.Name, command.FlagCompilerFlag.Name, "fetch", "cache"}, ofIREE, "targets of IREE", "leave it out"},
	{[]string{command.FlagPlugin.Name}, madeXLA, "programs of XLA's plugin", "leave it out"},
	{[]string{"portable"}, madeXLA | madePortable, "programs for XLA", "leave it out"},
	{[]string{"target", command.FlagLevel.Name}, ofPrograms, "programs, and --emit writes what all of them are made from", "leave it out"},
	{[]string{"stablehlo-version"}, madeArtifact, "artifacts", "add --emit=" + emitPortable},
	{[]string{"python"}, ofArtifacts, "artifacts, which jaxlib reads and writes", "leave it out"},
}

// useOf returns the row of a flag of compile, nil if it has none.
func (f *xlaFlags) useOf(name string) *flagUse {
	for i := range flagUses {
		if slices.Contains(flagUses[i].names, name) {
			return &flagUses[i]
		}
	}
	if f.flags.Lookup(name) != nil {
		return &modelFlags
	}
	return nil
}

// unused returns an error if a flag was given that is not for what is made.
func (f *xlaFlags) unused(cmd *cobra.Command, m made) error {
	var err error
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { // an earlier spelling sets Changed of the flag itself
		use := f.useOf(flag.Name)
		if flag.Changed && use != nil && use.made&m == 0 && err == nil {
			err = errs.New(command.CodeUsage, "--%s is for %s", flag.Name, use.is).Hint("%s", use.hint)
		}
	})
	return err
}
