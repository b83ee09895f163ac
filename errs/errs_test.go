package errs

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestErrorText(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"bare", New("A_B", "x is %d", 3), "A_B: x is 3"},
		{"file and offset zero", New("A_B", "bad magic").In("w.bin").At(0), "A_B: w.bin: byte 0: bad magic"},
		{
			"all", Wrap("A_B", io.ErrUnexpectedEOF, "short").In("f").At(7).On("n/0").Hint("copy it again"),
			"A_B: f: byte 7: n/0: short: unexpected EOF; copy it again",
		},
		{"source", New("A_B", "short").In("f").On("n/0").From("m.go:3: Tensor.Add"), "A_B: f: m.go:3: Tensor.Add: n/0: short"},
		{"one line whatever the names", New("A_B", "x").In("a\nb\x1b[31m\xff").On("käse"), `A_B: a\x0ab\x1b[31m\xff: käse: x`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCodeOfLooksThroughWrapping(t *testing.T) {
	err := fmt.Errorf("outer: %w", New("A_B", "x"))
	if got := CodeOf(err); got != "A_B" {
		t.Errorf("CodeOf = %q", got)
	}
	if got := CodeOf(io.EOF); got != "" {
		t.Errorf("CodeOf(io.EOF) = %q", got)
	}
	if !errors.Is(Wrap("C", io.EOF, "y"), io.EOF) {
		t.Error("the cause is lost")
	}
}

func TestWithFileKeepsTheFirstName(t *testing.T) {
	if got := WithFile(New("A", "x"), "f").Error(); got != "A: f: x" {
		t.Error(got)
	}
	if got := WithFile(New("A", "x").In("g"), "f").Error(); got != "A: g: x" {
		t.Error(got)
	}
}

// What a file holds may be of any length; what is said of it is not.
func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("ä", 1<<20)
	err := Wrap("A_B", errors.New(long+"the reason"), "pattern %q of %s: %v, item %d", long, long+"x", errors.New(long+"y"), 7).
		In(long+".gguf").On(long+"[3]").Hint("take another than %q", long)
	text := err.Error()
	if len(text) > 4*MaxPart {
		t.Errorf("%d bytes", len(text))
	}
	if !utf8.ValidString(text) {
		t.Error("a character was cut")
	}
	for _, kept := range []string{"A_B: ", "pattern ", "item 7", "the reason", ".gguf", "[3]", "2097152 bytes"} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is lost", kept)
		}
	}
	args := []any{long}
	_ = New("A_B", "%s", args...)
	if args[0] != long {
		t.Error("the caller's argument was changed")
	}
	if got := New("A_B", "%s", long[:MaxQuoted]).What; got != long[:MaxQuoted] {
		t.Error("a short text was cut")
	}
}
