// Command record runs other tokenizers on the lines of the subjects and writes their
// output to a file:
//
//	bazel run //test/tokenizers/record -- "$PWD/text/tokenizer/e2e/testdata/oracle.json"
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/test/tokenizers"
)

// versions of the peers, as in peers.lock.
var versions = map[string]string{"llama": "llama.cpp in xllamacpp 2026.10.11549", "hf": "tokenizers 0.23.3"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// run takes NAME=RUNFILE of each file, which the BUILD file gives, and the output.
func run(args []string) error {
	files := map[string]string{}
	var out string
	for _, a := range args {
		name, file, ok := strings.Cut(a, "=")
		if !ok {
			out = a
			continue
		}
		path, err := runfiles.Rlocation(file)
		if err != nil {
			return err
		}
		if files[name], err = filepath.Abs(path); err != nil {
			return err
		}
	}
	if out == "" {
		return fmt.Errorf("no output file")
	}
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var rows []string
	for _, s := range tokenizers.Subjects {
		r, err := record(s, files, filepath.Join(dir, "lines.json"))
		if err != nil {
			return err
		}
		row, err := json.Marshal(r)
		if err != nil {
			return err
		}
		rows = append(rows, string(row))
	}
	return os.WriteFile(out, []byte("[\n"+strings.Join(rows, ",\n")+"\n]\n"), 0o644) //nolint:forbidigo // a golden
}

func record(s tokenizers.Subject, files map[string]string, path string) (*tokenizers.Recorded, error) {
	t, err := tokenizers.Open(files[s.Variable])
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(tokenizers.LinesOf(t))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, list, 0o644); err != nil { //nolint:forbidigo // read and removed here
		return nil, err
	}
	cmd := exec.Command(files["PYTHON"], files["PEERS"], s.Peer, files[s.Variable], path)
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var answer struct {
		IDs  [][]int32
		Stop []int32
	}
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&answer); err != nil {
		return nil, err
	}
	return &tokenizers.Recorded{Name: s.Name, Peer: versions[s.Peer], Stop: answer.Stop, Whole: answer.IDs[:tokenizers.Whole], Digests: tokenizers.Digests(answer.IDs)}, nil
}
