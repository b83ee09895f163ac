// Command ours is this repository's side of the benchmark of formats: see
// bench/formats/contestant.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/skainet-dev/skainet-go/bench/formats/contestant"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func main() {
	if err := contestant.Serve(os.Stdin, os.Stdout, contestant.Ready{Version: "this repository"}, do); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func do(q contestant.Request) (contestant.Answer, error) {
	switch q.Do {
	case contestant.Open:
		return list(q.Path)
	case contestant.Unpack:
		return unpack(q)
	}
	return contestant.Answer{}, errs.New(contestant.CodeProtocol, "asked to %q", q.Do)
}

func list(path string) (contestant.Answer, error) {
	begun := time.Now()
	f, err := gguf.Open(path)
	if err != nil {
		return contestant.Answer{}, err
	}
	var text bytes.Buffer
	tensors := f.Tensors()
	for _, t := range tensors {
		fmt.Fprintf(&text, "%s %d %d\n", t.Name, t.Number, t.Offset)
	}
	if err := f.Close(); err != nil {
		return contestant.Answer{}, err
	}
	took := time.Since(begun).Seconds()
	return contestant.Answer{Seconds: took, Tensors: len(tensors), Sum: sum(text.Bytes())}, nil
}

func unpack(q contestant.Request) (contestant.Answer, error) {
	blocks, err := os.ReadFile(q.Path)
	if err != nil {
		return contestant.Answer{}, errs.Wrap(contestant.CodeProtocol, err, "no blocks")
	}
	out := make([]float32, q.Elements)
	pass := func() error { return quant.Unpack(quant.Encoding(q.Type), out, blocks) }
	if err := pass(); err != nil { // memory is paged in
		return contestant.Answer{}, err
	}
	begun, passes, took := harness.CPU(), 0, 0.0
	for took < contestant.Least && passes < 1e6 {
		if err := pass(); err != nil {
			return contestant.Answer{}, err
		}
		passes++
		took = harness.CPU() - begun
	}
	for i, v := range out {
		if v != v {
			out[i] = float32(math.NaN()) // whose bits are not defined
		}
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, out); err != nil {
		return contestant.Answer{}, err
	}
	return contestant.Answer{Seconds: took / float64(passes), Sum: sum(b.Bytes())}, nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
