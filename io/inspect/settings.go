package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// shown is how many elements of a list a Setting has.
const shown = 3

// Setting is a pair of a file's metadata: a value, or the beginning of a list.
type Setting struct {
	Key   string `json:"key"`
	Type  string `json:"type"`
	Value any    `json:"value,omitempty"`
	Count *int64 `json:"count,omitempty"` // of a list
	First []any  `json:"first,omitempty"` // elements of a list
}

// Settings returns the metadata of w in its own order.
func Settings(w *weights.File) []Setting {
	var list []Setting
	for _, s := range w.Settings() {
		values, err := s.First(shown)
		if err != nil {
			values = []any{"unreadable: " + string(errs.CodeOf(err))} // the rest is worth showing
		}
		pair := Setting{Key: s.Key, Type: s.Type}
		if s.Count < 0 {
			pair.Value = values[0]
		} else {
			pair.Count, pair.First = &s.Count, values
		}
		list = append(list, pair)
	}
	return list
}

// MarshalJSON converts values that JSON cannot represent.
func (s Setting) MarshalJSON() ([]byte, error) {
	type plain Setting
	p := plain(s)
	p.Value = Encodable(s.Value)
	p.First, _ = Encodable(s.First).([]any)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(p)
	return b.Bytes(), err
}

// Encodable makes of a value of a setting what JSON can hold.
func Encodable(v any) any {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) { // a token may be part of a character
			return map[string]string{"hex": hex.EncodeToString([]byte(v))}
		}
	case float32:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Sprint(v)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = Encodable(v[i])
		}
		return list
	}
	return v
}
