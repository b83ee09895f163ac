package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/hlo/judge"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// emitFlags are those of compile for StableHLO in place of a program.
type emitFlags struct{ form, version, python string }

// The forms that --emit names.
const (
	emitPortable = "portable"
	emitText     = "text"
)

func (f *emitFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.form, "emit", "", "write StableHLO in place of a program, `portable` or text: an artifact that later versions read, made by jaxlib; or the text of one, or of a model")
	flags.StringVar(&f.version, "stablehlo-version", "", "`version` of StableHLO of the artifact, such as 1.9.0; that of jaxlib by default")
	flags.StringVar(&f.python, "python", "", "`program` that runs Python with jaxlib "+judge.Version+"; "+judge.Variable+", or python3 of the path, by default")
}

// check returns an error for a form that there is not.
func (f *emitFlags) check() error {
	if f.form != emitPortable && f.form != emitText {
		return errs.New(command.CodeUsage, "--emit=%s is none of the forms", f.form).Hint("use %s or %s", emitPortable, emitText)
	}
	return nil
}

// start starts jaxlib.
func (f *emitFlags) start(cmd *cobra.Command) (*judge.Judge, error) {
	python := f.python
	if python == "" {
		var err error
		if python, err = judge.Find(); err != nil {
			return nil, err
		}
	}
	return judge.Start(cmd.Context(), python)
}

// write writes a file's StableHLO: of a model a text for each entry point and its sizes, as
// XLA takes it; of an artifact its text.
func (f *emitFlags) write(cmd *cobra.Command, path, out string, x *xlaFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := apart(out, false, path); err != nil {
		return err
	}
	m := madeArtifact
	if f.form == emitText {
		m = madeText
		if data, err := regular.Read(path, regular.MaxText); err == nil && judge.IsArtifact(data) {
			if err := x.unused(cmd, madeBack); err != nil {
				return err
			}
			j, err := f.start(cmd)
			if err != nil {
				return err
			}
			defer j.Close()
			text, err := j.Text(data)
			if err != nil {
				return errs.WithFile(err, path)
			}
			return atomicfile.WriteFile(command.Path(out), text)
		}
	}
	if err := x.unused(cmd, m); err != nil {
		return err
	}
	x.in.Notes = cmd.ErrOrStderr()
	texts, err := x.texts(path)
	if err != nil {
		return err
	}
	var files []atomicfile.File
	var j *judge.Judge
	for _, t := range texts {
		data := t.Text
		if f.form == emitPortable {
			if j == nil {
				if j, err = f.start(cmd); err != nil {
					return err
				}
				defer j.Close()
			}
			if data, _, err = j.Portable(data, f.version); err != nil {
				return errs.WithFile(err, path)
			}
		}
		files = append(files, atomicfile.Bytes(command.Path(nameOf(out, t, len(texts))), data))
	}
	return atomicfile.WriteAll(files...)
}

// nameOf returns the file of a text: out, with the entry point and its sizes before the
// ending where there are several.
func nameOf(out string, t compile.Text, texts int) string {
	if texts == 1 {
		return out
	}
	name := t.Entry
	if sizes := xla.Spelled(t.Sizes); sizes != "" {
		name += "." + sizes
	}
	end := filepath.Ext(out)
	return strings.TrimSuffix(out, end) + "." + name + end
}

// texts returns the texts for XLA of a model file.
func (f *xlaFlags) texts(path string) ([]compile.Text, error) {
	sizes, err := command.Sizes(f.sizes)
	if err != nil {
		return nil, err
	}
	m, _, err := openfile.Import(path, nil, openfile.Options{Import: f.in})
	if err != nil {
		return nil, err
	}
	to, err := compile.To("xla_cpu", "")
	if err != nil {
		return nil, err
	}
	texts, err := to.Texts(m.Graph, compile.Options{Sizes: sizes})
	if err == nil && len(texts) == 0 {
		err = errs.New(xla.CodeSizes, "every entry point has dynamic sizes, and no sizes were given").In(path).Hint("name them: --sizes=NAME=N,...")
	}
	return texts, err
}
