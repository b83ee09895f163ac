package call

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
)

// kind is what a command calls, as messages name it.
type kind string

const (
	programOfIREE kind = "a program of IREE"
	programOfXLA  kind = "a file of XLA's programs"
	modelFile     kind = "a model file"
)

// uses are the flags that do something for some kinds alone. Which of them a model file uses
// depends on its backend, and package openfile looks at them again.
var uses = []struct {
	flag string
	by   []kind
}{
	{command.FlagContract.Name, []kind{programOfIREE}},
	{command.FlagArchive.Name, []kind{programOfIREE, programOfXLA}},
	{"default-archive", []kind{programOfIREE, programOfXLA}},
	{"alternative", []kind{programOfIREE}},
	{command.FlagToolPrefix.Name, []kind{programOfIREE}},
	{command.FlagLibrary.Name, []kind{programOfIREE, modelFile}},
	{command.FlagTool.Name, []kind{programOfIREE, modelFile}},
	{command.FlagPlugin.Name, []kind{programOfXLA, modelFile}},
	{command.FlagWeightForm.Name, []kind{programOfXLA, modelFile}},
	{"sizes", []kind{programOfXLA, modelFile}},
	{"buckets", []kind{programOfXLA, modelFile}},
}

// unused returns an error for a flag that is given and that a file of this kind does not use.
// Arguments that are made up have the sizes of --sizes, whatever the file is.
func (f *runFlags) unused(cmd *cobra.Command, path string, texts []string, is kind) error {
	for _, u := range uses {
		if u.flag == "sizes" && f.makesUp && len(texts) == 0 {
			continue
		}
		if cmd.Flags().Changed(u.flag) && !slices.Contains(u.by, is) {
			return errUsage("--%s is for %s, and this is %s", u.flag, u.by[0], is).In(path).Hint("leave it out")
		}
	}
	return nil
}
