// Package contestant is the measured side of the benchmark of language models: a program
// that loads once, then continues texts and reports how long that took. Contestants
// in other languages use the same protocol.
//
// # Protocol
//
// Lines of JSON. Once loaded, the contestant writes a Ready. For each Question that it
// reads it writes an Answer. It ends with its input. A fault goes to the standard
// error, with an exit status that is not 0.
//
// # Errors
//
// SUBJECT_PROTOCOL where a line cannot be read or written.
//
// # Determinism
//
// None: figures are measured.
package contestant

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// CodeProtocol is the code of a broken line between benchmark and contestant.
const CodeProtocol errs.Code = "SUBJECT_PROTOCOL"

// Ready reports that a contestant has loaded.
type Ready struct {
	Version string `json:"version"` // what is measured
}

// Question asks for a continuation by the most likely tokens, whichever they are.
type Question struct {
	Prompt []int32 `json:"prompt"` // token ids, with nothing added
	Tokens int     `json:"tokens"` // to choose: 1 and more
}

// Answer is how long it took.
type Answer struct {
	First float64 `json:"first_seconds"` // from the question to the first token: the prompt
	Rest  float64 `json:"rest_seconds"`  // from there to the last one: Tokens-1 steps
}

// longest is the length of a question in bytes.
const longest = 1 << 20

// Serve is the main loop of a contestant in Go, around a session. Each question is an
// independent text; no state is kept between questions.
func Serve(ctx context.Context, in io.Reader, out io.Writer, ready Ready, s *generate.Session) error {
	encoder := json.NewEncoder(out)
	send := func(v any) error {
		if err := encoder.Encode(v); err != nil {
			return errs.Wrap(CodeProtocol, err, "cannot answer the benchmark")
		}
		return nil
	}
	if err := send(ready); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return errs.Wrap(CodeProtocol, err, "the question is invalid")
		}
		a, err := answer(ctx, s, q)
		if err != nil {
			return err
		}
		if err := send(a); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return errs.Wrap(CodeProtocol, err, "cannot read a question")
	}
	return nil
}

func answer(ctx context.Context, s *generate.Session, q Question) (Answer, error) {
	var first, last time.Time
	if err := s.Set(nil); err != nil {
		return Answer{}, err
	}
	start := time.Now()
	if err := s.Set(q.Prompt); err != nil {
		return Answer{}, err
	}
	_, err := s.Generate(ctx, generate.Request{Tokens: q.Tokens, Token: func(int32) error {
		if last = time.Now(); first.IsZero() {
			first = last
		}
		return nil
	}})
	return Answer{First: first.Sub(start).Seconds(), Rest: last.Sub(first).Seconds()}, err
}
