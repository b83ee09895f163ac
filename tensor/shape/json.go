package shape

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Shape) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return errs.Wrap(CodeBad, err, "a shape must be a list")
	}
	out := make(Shape, len(raw))
	for i, r := range raw {
		text := string(r)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
			out[i] = Dim{Size: n}
			continue
		}
		var name string
		err := json.Unmarshal(r, &name)
		name, dynamic := strings.CutSuffix(name, "?")
		d, ok := readName(name)
		if err != nil || !dynamic || !ok {
			return errs.New(CodeBad, "dimension %d is %s", i, text).
				Hint("a dimension is a size or a string that ends in ?, such as \"batch?\" or \"past+seq?\"")
		}
		out[i] = d
	}
	*s = out
	return nil
}
