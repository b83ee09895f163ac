package worker

import (
	"path"
	"slices"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"github.com/skainet-dev/skainet-go/errs"
)

// CheckOutputs rejects a result if an output's path leads out of the action's folder, belongs
// to two outputs, or lies below a file or link.
func CheckOutputs(r *re.ActionResult) error {
	c := &re.Command{}
	leaf := map[string]bool{} // whether the output of that name is not a folder
	twice := ""
	add := func(name string, isLeaf bool) {
		if _, ok := leaf[name]; ok && twice == "" {
			twice = name
		}
		leaf[name] = isLeaf
		c.OutputPaths = append(c.OutputPaths, name)
	}
	for _, f := range r.OutputFiles {
		add(f.Path, true)
	}
	for _, d := range r.OutputDirectories {
		add(d.Path, false)
	}
	for _, l := range r.OutputSymlinks {
		add(l.Path, true)
	}
	linked := map[string]bool{}
	for _, l := range r.OutputSymlinks {
		linked[l.Path] = true
	}
	for _, l := range slices.Concat(r.OutputFileSymlinks, r.OutputDirectorySymlinks) { //nolint:staticcheck // deprecated in the protocol
		if linked[l.Path] { // for clients of two versions
			delete(linked, l.Path)
			continue
		}
		add(l.Path, true)
	}
	if _, err := outputNames(c); err != nil {
		return err
	}
	if twice != "" {
		return errs.New(CodePath, "the result has two outputs %q", twice).Hint("name each once")
	}
	for _, name := range c.OutputPaths {
		for above := path.Dir(name); above != "."; above = path.Dir(above) {
			if leaf[above] {
				return errs.New(CodePath, "the output %q lies below %q, which is not a folder", name, above).Hint("name the files of a folder, or the folder")
			}
		}
	}
	return nil
}
