package errs

import (
	"errors"
	"fmt"
	"io"
	"testing"

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
