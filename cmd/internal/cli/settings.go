package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/inspect"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// CodeNoSetting is the code of a key that is not in a file's metadata.
const CodeNoSetting errs.Code = "CLI_NO_METADATA"

// shownRunes is how much of a long text is shown.
const shownRunes = 60

// line returns a setting on one line of a table.
func line(s inspect.Setting) string {
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

// whole returns the value of one key in full: a text as it is, a list with one
// element per line, or JSON.
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
		values[i] = inspect.Encodable(values[i])
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

// readable keeps the lines of a text, and quotes a text with other
// control characters.
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
