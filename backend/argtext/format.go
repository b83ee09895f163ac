package argtext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/tensor"
)

// maxPrinted is the number of elements that Text prints in full.
const maxPrinted = 64

// Text returns one line for each result: "y: f32[2x2] = [[1 2] [3 4]]". For
// a large tensor it shows the first elements and the total number.
func Text(results []contract.Named, values []tensor.Value) (string, error) {
	var b strings.Builder
	for i, v := range values {
		words, err := parity.Elements(v)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s: %s = ", results[i].Name, v.Type)
		switch {
		case len(words) > maxPrinted:
			fmt.Fprintf(&b, "[%s ... %d elements]", strings.Join(words[:8], " "), len(words))
		default:
			nest(&b, v.Type.Shape.Sizes(), words)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// maxShown is the number of elements of a result in a table.
const maxShown = 6

// Table returns a line for each result: its name, type, first elements, and the file that has
// it, if any.
func Table(results []contract.Named, values []tensor.Value, files []string) ([]byte, error) {
	var b bytes.Buffer
	var failed error
	head := []string{"RESULT", "TYPE", "VALUES"}
	if slices.ContainsFunc(files, func(f string) bool { return f != "" }) {
		head = append(head, "FILE")
	}
	display.Grid(&b, head, func(line func(cells ...string)) {
		for i, v := range values {
			words, err := parity.Elements(beginning(v))
			if err != nil {
				failed = err
				return
			}
			if n, err := v.Type.Shape.Elements(); err == nil && n > int64(len(words)) {
				words = append(words, "...")
			}
			cells := []string{display.Printable(results[i].Name), v.Type.String(), strings.Join(words, " "), display.Printable(files[i])}
			line(cells[:len(head)]...)
		}
	})
	return b.Bytes(), failed
}

// beginning returns the first elements of v, as a list.
func beginning(v tensor.Value) tensor.Value {
	n, err := v.Type.Shape.Elements()
	if err != nil || n <= maxShown || v.Type.DType.Bits() < 8 {
		return v
	}
	return tensor.Value{Type: tensor.TypeOf(v.Type.DType, maxShown), Bytes: v.Bytes[:v.Type.DType.Bytes(maxShown)]}
}

// nest writes the elements in brackets, one pair for each dimension.
func nest(b *strings.Builder, sizes []int64, words []string) {
	if len(sizes) == 0 {
		b.WriteString(words[0])
		return
	}
	b.WriteByte('[')
	step := 0
	if sizes[0] > 0 {
		step = len(words) / int(sizes[0])
	}
	if len(words) == 0 {
		sizes = []int64{0}
	}
	for i := range int(sizes[0]) {
		if i > 0 {
			b.WriteByte(' ')
		}
		nest(b, sizes[1:], words[i*step:(i+1)*step])
	}
	b.WriteByte(']')
}

type jsonResult struct {
	Name   string            `json:"name"`
	DType  string            `json:"dtype"`
	Shape  []int64           `json:"shape"`
	Values []json.RawMessage `json:"values"` // row-major
}

// JSON returns {"entry": ..., "results": [{name, dtype, shape, values}]} with all
// elements; NaN and the infinities are strings, since JSON has no such numbers.
func JSON(entry string, results []contract.Named, values []tensor.Value) ([]byte, error) {
	doc := struct {
		Entry   string       `json:"entry"`
		Results []jsonResult `json:"results"`
	}{Entry: entry, Results: []jsonResult{}}
	for i, v := range values {
		words, err := parity.Elements(v)
		if err != nil {
			return nil, err
		}
		r := jsonResult{Name: results[i].Name, DType: v.Type.DType.String(), Shape: v.Type.Shape.Sizes(), Values: []json.RawMessage{}}
		for _, w := range words {
			if !json.Valid([]byte(w)) {
				w = strconv.Quote(w)
			}
			r.Values = append(r.Values, json.RawMessage(w))
		}
		doc.Results = append(doc.Results, r)
	}
	out, err := json.Marshal(doc)
	if err != nil {
		return nil, errs.Wrap(parity.CodeInput, err, "the results cannot be encoded")
	}
	return append(out, '\n'), nil
}
