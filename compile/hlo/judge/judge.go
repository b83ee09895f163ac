// Package judge asks jaxlib about StableHLO: an implementation that is not ours parses and
// verifies texts, calls what the reference interpreter can, and writes and reads portable
// artifacts, the form of StableHLO that stays readable from version to version.
//
// jaxlib is an optional tool: Python with the packages of test/randgraph/peers.lock, of which
// Version is the pinned one.
//
// # Errors
//
// JUDGE_NONE where there is no such Python, or its jaxlib is another one; JUDGE_REFUSED for an
// input that jaxlib refuses, in MLIR's words; JUDGE_ENDED for a process that ends.
//
// # Untrusted input
//
// Texts go to MLIR's parser, in a process of its own.
//
// # Determinism
//
// The same input gives the same answer.
package judge

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeNone    errs.Code = "JUDGE_NONE"    // smallest input: the program false
	CodeRefused errs.Code = "JUDGE_REFUSED" // smallest input: the text "x"
	CodeEnded   errs.Code = "JUDGE_ENDED"   // smallest input: a context that is canceled
)

// Version is the pinned jaxlib, that of test/randgraph/peers.lock.
const Version = "0.10.2"

// Variable names the environment variable with the program that runs Python with jaxlib.
const Variable = "SKAINET_JAXLIB_PYTHON"

//go:embed judge.py
var script string

// Judge is a running jaxlib. It is for one goroutine at a time.
type Judge struct {
	ctx    context.Context
	python string

	cmd *exec.Cmd // nil before a start, and after the process has ended
	in  io.WriteCloser
	out *bufio.Reader
	end context.CancelFunc
}

// Find returns the program that Variable names, or else python3 of the path.
func Find() (string, error) {
	if path := os.Getenv(Variable); path != "" {
		return path, nil
	}
	path, err := exec.LookPath("python3")
	if err != nil {
		return "", errs.New(CodeNone, "there is no python3 on the path").Hint("%s", install)
	}
	return path, nil
}

const install = "pip install jaxlib==" + Version + ", and name the Python with --python or " + Variable

// Start starts jaxlib in a Python. It ends with the context, or by Close.
func Start(ctx context.Context, python string) (*Judge, error) {
	j := &Judge{ctx: ctx, python: python}
	return j, j.start()
}

// start starts the process.
func (j *Judge) start() error {
	ctx, end := context.WithCancel(j.ctx)
	cmd := exec.CommandContext(ctx, j.python, "-B", "-c", script)
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err == nil {
		j.in = in
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			j.out = bufio.NewReader(out)
			err = cmd.Start()
		}
	}
	if err != nil {
		end()
		return errs.Wrap(CodeNone, err, "Python does not start").In(j.python).Hint("%s", install)
	}
	j.cmd, j.end = cmd, end
	var hello struct {
		Version string `json:"version"`
	}
	line, err := j.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &hello)
	}
	if err != nil {
		j.Close()
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		return errs.New(CodeNone, "Python does not have jaxlib: %s", lines[len(lines)-1]).In(j.python).Hint("%s", install)
	}
	if hello.Version != Version {
		j.Close()
		return errs.New(CodeNone, "jaxlib is %s, and %s is pinned", hello.Version, Version).In(j.python).Hint("%s", install)
	}
	return nil
}

// Close ends the process.
func (j *Judge) Close() {
	if j.cmd == nil {
		return
	}
	j.in.Close()
	j.end()
	_ = j.cmd.Wait()
	j.cmd = nil
}

type request struct {
	Do       string `json:"do"`
	Text     string `json:"text,omitempty"`
	Name     string `json:"name,omitempty"`
	Version  string `json:"version"`
	Artifact []byte `json:"artifact,omitempty"`
}

// ask sends a request; reply is a pointer to a struct.
func (j *Judge) ask(r request, reply any) error {
	if j.cmd == nil {
		if err := j.start(); err != nil {
			return err
		}
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, err = j.in.Write(append(line, '\n'))
	}
	if err == nil {
		line, err = j.out.ReadBytes('\n')
	}
	var fault struct {
		Fault string `json:"fault"`
	}
	if err == nil {
		err = errors.Join(json.Unmarshal(line, &fault), json.Unmarshal(line, reply))
	}
	switch {
	case err != nil:
		j.Close() // the next request starts it again
		return errs.Wrap(CodeEnded, err, "jaxlib ended")
	case fault.Fault != "":
		return errs.New(CodeRefused, "%s", strings.Join(strings.Fields(fault.Fault), " "))
	}
	return nil
}

// Verdict is what jaxlib says of a module that it parses and verifies.
type Verdict struct {
	Functions []string            `json:"functions"`
	Ran       map[string][]string `json:"-"` // types of the results
	Not       map[string]string   `json:"-"` // why the interpreter did not run a function
}

// Check parses and verifies a text, and calls these functions by the reference interpreter,
// with ones for arguments.
func (j *Judge) Check(text []byte, run ...string) (Verdict, error) {
	v := Verdict{Ran: map[string][]string{}, Not: map[string]string{}}
	if err := j.ask(request{Do: "check", Text: string(text)}, &v); err != nil {
		return v, err
	}
	for _, name := range run {
		var reply struct {
			Types []string `json:"types"`
		}
		err := j.ask(request{Do: "call", Text: string(text), Name: name}, &reply)
		switch errs.CodeOf(err) {
		case "":
			v.Ran[name] = reply.Types
		case CodeRefused, CodeEnded: // the interpreter aborts for some operations that it lacks
			v.Not[name] = err.Error()
		default:
			return v, err
		}
		if err := j.ctx.Err(); err != nil {
			return v, errs.Wrap(CodeEnded, err, "jaxlib was stopped")
		}
	}
	return v, nil
}

// Portable returns the portable artifact of a text, for a version of StableHLO such as 1.9.0,
// "" for that of jaxlib.
func (j *Judge) Portable(text []byte, version string) (artifact []byte, of string, err error) {
	var reply struct {
		Artifact []byte `json:"artifact"`
		Version  string `json:"version"`
	}
	err = j.ask(request{Do: "portable", Text: string(text), Version: version}, &reply)
	return reply.Artifact, reply.Version, err
}

// magic begins MLIR's bytecode.
const magic = "ML\xefR"

// IsArtifact reports whether bytes begin as an artifact does.
func IsArtifact(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// Text returns the text of an artifact.
func (j *Judge) Text(artifact []byte) ([]byte, error) {
	if !IsArtifact(artifact) {
		return nil, errs.New(CodeRefused, "not an artifact: it does not begin as MLIR's bytecode does")
	}
	var reply struct {
		Text string `json:"text"`
	}
	err := j.ask(request{Do: "text", Artifact: artifact}, &reply)
	return []byte(reply.Text), err
}
