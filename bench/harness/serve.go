package harness

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
)

// Serve is the main loop of a contestant: it writes ready, then the answer to each
// request of type Q that it reads, as lines of JSON, and ends with its input. code is
// that of a line that cannot be read or written.
func Serve[Q, A any](in io.Reader, out io.Writer, code errs.Code, ready any, answer func(Q) (A, error)) error {
	encoder := json.NewEncoder(out)
	send := func(v any) error {
		if err := encoder.Encode(v); err != nil {
			return errs.Wrap(code, err, "cannot answer the benchmark")
		}
		return nil
	}
	if err := send(ready); err != nil {
		return err
	}
	requests := json.NewDecoder(bufio.NewReader(in))
	for {
		var q Q
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return errs.Wrap(code, err, "a line of the benchmark")
		}
		a, err := answer(q)
		if err != nil {
			return err
		}
		if err := send(a); err != nil {
			return err
		}
	}
}
