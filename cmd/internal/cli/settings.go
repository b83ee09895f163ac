package cli

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// CodeNoSetting is the code of a key that a file's metadata does not have.
const CodeNoSetting errs.Code = "CLI_NO_METADATA"

// What is shown of a long value.
const (
	shownElements = 3
	shownRunes    = 60
)

// setting is a pair of a file's metadata: a value, or the beginning of a list.
type setting struct {
	Key   string `json:"key"`
	Type  string `json:"type"`
	Value any    `json:"value,omitempty"`
	Count *int64 `json:"count,omitempty"` // of a list
	First []any  `json:"first,omitempty"` // elements of a list
}

func settings(w *weights.File) []setting {
	var list []setting
	for _, s := range w.Settings() {
		values, err := s.First(shownElements)
		if err != nil {
			values = []any{"unreadable: " + string(errs.CodeOf(err))} // the rest is worth showing
		}
		shown := setting{Key: s.Key, Type: s.Type}
		if s.Count < 0 {
			shown.Value = values[0]
		} else {
			shown.Count, shown.First = &s.Count, values
		}
		list = append(list, shown)
	}
	return list
}

// MarshalJSON puts what JSON cannot hold in other forms.
func (s setting) MarshalJSON() ([]byte, error) {
	type plain setting
	p := plain(s)
	p.Value = encodable(s.Value)
	p.First, _ = encodable(s.First).([]any)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(p)
	return b.Bytes(), err
}

// String returns one line for a table.
func (s setting) String() string {
	if s.Count == nil {
		return shorten(s.Value)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d long", s.Type, *s.Count)
	for i, v := range s.First {
		b.WriteString([]string{": ", ", "}[min(i, 1)] + shorten(v))
	}
	if int64(len(s.First)) < *s.Count {
		b.WriteString(", ...")
	}
	return b.String()
}

func shorten(v any) string {
	text, ok := v.(string)
	if n := utf8.RuneCountInString(text); ok && n > shownRunes {
		return fmt.Sprintf("%s... (%d characters)", display.Printable(string([]rune(text)[:shownRunes])), n)
	}
	return textOf(v)
}

// textOf returns a value on one line that cannot move a terminal's cursor.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return display.Printable(v)
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i] = textOf(v[i])
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// encodable makes of a value what JSON can hold.
func encodable(v any) any {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) { // a token may be a part of a character
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
			list[i] = encodable(v[i])
		}
		return list
	}
	return v
}

// whole returns the value of one key in full: a text as it is, a list with one
// element a line, or JSON.
func whole(w *weights.File, key string, asJSON bool) ([]byte, error) {
	for _, s := range w.Settings() {
		if s.Key != key {
			continue
		}
		values, err := s.First(math.MaxInt64)
		if err != nil {
			return nil, err
		}
		if asJSON {
			return wholeJSON(values, s.Count < 0)
		}
		var b bytes.Buffer
		for _, v := range values {
			text := textOf(v)
			if raw, ok := v.(string); ok && s.Count < 0 {
				text = readable(raw)
			}
			b.WriteString(text + "\n")
		}
		return b.Bytes(), nil
	}
	return nil, errs.New(CodeNoSetting, "the file's metadata has no key %q (%d others)", key, len(w.Settings())).In(w.Path()).
		Hint("list the keys with: skainet inspect FILE")
}

// wholeJSON returns a value, or a list on one line: it may have 262144 tokens.
func wholeJSON(values []any, single bool) ([]byte, error) {
	for i := range values {
		values[i] = encodable(values[i])
	}
	if single {
		return display.JSON(values[0])
	}
	b, err := json.Marshal(values)
	if err != nil {
		return nil, errs.Wrap(display.CodeJSON, err, "cannot encode the list")
	}
	return append(b, '\n'), nil
}

// readable keeps the lines of a text, and quotes one that has other characters
// that a terminal obeys.
func readable(s string) string {
	if !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
