// Package contestant is the measured side of a benchmark: a program that loads once,
// then transcribes on request and reports the cost of each run. Contestants in other
// languages use the same protocol.
//
// # Protocol
//
// Lines of JSON. Once loaded, the contestant writes a Ready. For each line that it
// reads it transcribes the clip once and writes a Run. It ends with its input. A
// fault goes to the standard error, with an exit status that is not 0.
//
// # Errors
//
// SUBJECT_PROTOCOL where a line cannot be written.
//
// # Determinism
//
// None: figures are measured.
package contestant

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeProtocol is the code of a broken line between benchmark and contestant.
const CodeProtocol errs.Code = "SUBJECT_PROTOCOL"

// Ready reports that a contestant has loaded.
type Ready struct {
	Version string  `json:"version"`      // what is measured
	Load    float64 `json:"load_seconds"` // CPU seconds from the start of the process
}

// Run is one transcription.
type Run struct {
	Text string  `json:"text"`
	CPU  float64 `json:"cpu_seconds"`  // user and system time of the whole process
	Wall float64 `json:"wall_seconds"` // elapsed time
	// Parts are CPU seconds of parts of the work, run once more by themselves.
	Parts Parts `json:"parts"`
}

// Parts is where the time goes; decoding is the rest.
type Parts struct {
	Mel    float64 `json:"mel"`    // samples to log-mel features
	Encode float64 `json:"encode"` // features to the encoder's output
}

// Serve is the main loop of a contestant in Go.
func Serve(in io.Reader, out io.Writer, ready Ready, transcribe func() (Run, error)) error {
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
	for lines.Scan() {
		run, err := transcribe()
		if err != nil {
			return err
		}
		if err := send(run); err != nil {
			return err
		}
	}
	return lines.Err()
}
