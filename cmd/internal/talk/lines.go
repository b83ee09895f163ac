package talk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// maxLine is the maximum length of a turn, in bytes.
const maxLine = 16 << 20

// lines answers each line of standard input. A line that cannot be answered is reported,
// and the next one is read; unless stdin is a terminal, lines then returns an error at
// the end.
func (t *talker) lines(ctx context.Context, stdin io.Reader, terminal bool) error {
	in := bufio.NewReader(stdin)
	failed := 0
	for ended := false; !ended; {
		if terminal {
			fmt.Fprint(t.stderr, "> ")
		}
		line, err := readLine(in)
		ended = errors.Is(err, io.EOF)
		reported := false
		if err == nil || ended {
			if strings.TrimSpace(line) == "" {
				continue
			}
			reported, err = t.answer(ctx, line)
		}
		if err == nil {
			continue
		}
		if code := errs.CodeOf(err); ctx.Err() != nil || code == atomicfile.CodeWrite || code == codeInput {
			return err
		}
		failed++
		fmt.Fprintln(t.stderr, "chat:", err)
		if t.json && !reported { // one line of JSON for each line of input
			if err := t.put(figures{Tokens: []int32{}, Reason: generate.Failed, Error: err.Error()}); err != nil {
				return err
			}
		}
	}
	if failed > 0 && !terminal {
		return errs.New(codeUnanswered, "%d lines have no answer, or only a partial one", failed).Hint("see the message for each")
	}
	return nil
}

// readLine returns the next line without its line ending, and io.EOF with the last one.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return "", errs.Wrap(codeInput, err, "cannot read standard input")
		case long:
			return "", errs.New(codeLine, "a line of more than %d bytes", maxLine).Hint("write a shorter one")
		}
		return string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))), err
	}
}
