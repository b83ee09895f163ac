package cli

import (
	"bytes"
	"cmp"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// ofText shows the encodings that a program's text names.
func (f *inspectFlags) ofText(path string) ([]byte, error) {
	if f.index || f.metadata != "" {
		return nil, errs.New(CodeUsage, "a program's text has neither an index nor metadata").In(path).Hint("inspect the weight file")
	}
	text, err := regular.Read(path, verify.MaxText)
	if err != nil {
		return nil, err
	}
	all, err := verify.Encodings(path, text)
	if err != nil {
		return nil, err
	}
	list := []verify.Encoded{}
	for _, e := range all {
		if f.tensors.Match(e.Name) {
			list = append(list, e)
		}
	}
	if f.json {
		return display.JSON(list)
	}
	if len(all) == 0 {
		return []byte("no tensor of this text carries an encoding\n"), nil
	}
	if len(list) == 0 {
		return nil, errs.New(codeNoTensor, "no tensor with an encoding matches %q", []string(f.tensors)).In(path)
	}
	var b bytes.Buffer
	display.Grid(&b, []string{"NAME", "ENCODING", "TYPE", "STORED"}, func(row func(cells ...string)) {
		for _, e := range list {
			row(display.Printable(e.Name), e.Encoding.String(), cmp.Or(e.Logical, "-"), cmp.Or(e.Stored, "-"))
		}
	})
	return b.Bytes(), nil
}
