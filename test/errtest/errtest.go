// Package errtest records which error codes a test process creates, so that
// tools/errcodes can list those that no test reaches. A test file imports it for its
// effect:
//
//	import _ "github.com/skainet-dev/skainet-go/test/errtest"
//
// Each code is a line of the file error_codes-PID.txt, after one with the folder
// in which the process was started, in the folder that
// SKAINET_ERROR_CODES names, else in TEST_UNDECLARED_OUTPUTS_DIR, which Bazel
// sets. If neither is set, nothing is recorded. A line is written when its
// code first occurs, so that a process has recorded its codes however it ends.
//
// # Errors
//
// None: it panics if a file cannot be written, since the test would not
// count.
//
// # Determinism
//
// The codes are in the order in which they occurred.
package errtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// Variable names the folder for records outside Bazel.
const Variable = "SKAINET_ERROR_CODES"

// Pattern matches the names of records.
const Pattern = "error_codes-*.txt"

func init() {
	dir := os.Getenv(Variable)
	if dir == "" {
		dir = os.Getenv("TEST_UNDECLARED_OUTPUTS_DIR")
	}
	if dir == "" {
		return
	}
	wd, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	r := &record{path: filepath.Join(dir, fmt.Sprintf("error_codes-%d.txt", os.Getpid())), wd: wd}
	errs.Observe(r.add)
}

// record is a file of codes, which begins with the folder of the process.
type record struct {
	path string
	wd   string
	mu   sync.Mutex
	seen map[errs.Code]bool
}

func (r *record) add(c errs.Code) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[c] {
		return
	}
	line := string(c) + "\n"
	if r.seen == nil {
		r.seen = map[errs.Code]bool{}
		line = "# " + r.wd + "\n" + line
	}
	r.seen[c] = true
	f, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(line)
		f.Close()
	}
	if err != nil {
		panic(err)
	}
}
