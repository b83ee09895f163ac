package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeContestant errs.Code = "BENCH_SUBJECT"  // a contestant cannot be started, ends early or answers something else
	CodeRunfiles   errs.Code = "BENCH_RUNFILES" // a part of the benchmark is missing
	CodeFlags      errs.Code = "BENCH_FLAGS"    // what was asked for is not a contestant, or nothing is left; smallest input: --rounds=0
	CodeResult     errs.Code = "BENCH_RESULT"   // contestants' results differ, or one has no figure
	CodeRuntime    errs.Code = "BENCH_RUNTIME"  // smallest input: a runtime library that is the empty file
)

// Command starts a contestant: a program that writes a line of JSON when it is
// ready, answers each line that it reads with another, and ends with its input.
type Command struct {
	Name string   // of the contestant, for errors
	Args []string // the program first
	Env  []string // of its process; see Environment
}

// Child is a running contestant.
type Child struct {
	Name    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
}

// Launch starts a contestant, waits for its first line and decodes it to ready. The
// contestant's own messages go to stderr.
func Launch(ctx context.Context, stderr io.Writer, command Command, ready any) (*Child, error) {
	c := &Child{Name: command.Name, cmd: exec.CommandContext(ctx, command.Args[0], command.Args[1:]...)}
	c.cmd.Env, c.cmd.Stderr = command.Env, stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, c.Broken(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, c.Broken(err)
	}
	c.answers = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		return nil, c.Broken(err)
	}
	if err := c.answer(ready); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// Ask sends a question as a line of JSON and decodes the line that answers it.
func (c *Child) Ask(question, answer any) error {
	if err := json.NewEncoder(c.in).Encode(question); err != nil {
		return c.Broken(err)
	}
	return c.answer(answer)
}

func (c *Child) answer(to any) error {
	if !c.answers.Scan() {
		err := c.answers.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return c.Broken(err)
	}
	if err := json.Unmarshal(c.answers.Bytes(), to); err != nil {
		return c.Broken(err)
	}
	return nil
}

// Broken is the error of a contestant that does not keep to the protocol.
func (c *Child) Broken(cause error) error {
	return errs.Wrap(CodeContestant, cause, "the contestant does not answer").On(c.Name).
		Hint("its own message is above")
}

// Stop ends the contestant by closing its input and waits for it.
func (c *Child) Stop() {
	c.in.Close()
	_ = c.cmd.Wait() // its own message is on stderr
}

// Memory returns a size in MiB of the process from Linux's /proc, VmRSS or VmHWM; 0
// elsewhere. The peak that getrusage knows would include this program's own
// before exec.
func (c *Child) Memory(field string) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), "status"))
	if err != nil {
		return 0
	}
	return statusMiB(string(text), field)
}

func statusMiB(status, field string) float64 {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			kib, unit, _ := strings.Cut(strings.TrimSpace(value), " ")
			if n, err := strconv.ParseFloat(kib, 64); err == nil && unit == "kB" {
				return n / 1024
			}
		}
	}
	return 0
}

// Unset are variables that make NumPy's OpenBLAS use kernels for another
// processor than the one it finds.
var Unset = []string{"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"}

// Environment is that of this process with the variables of set, each NAME=VALUE,
// and without settings of this host that libraries choose kernels by.
func Environment(set ...string) []string {
	env := slices.Clone(set)
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(Unset, name) && !slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			env = append(env, v)
		}
	}
	return env
}

// Threads are variables that give the runtimes of all contestants n threads.
func Threads(n int) []string {
	var set []string
	for _, name := range []string{"GOMAXPROCS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PJRT_NPROC", "NPROC"} {
		set = append(set, name+"="+strconv.Itoa(n))
	}
	return set
}

// Runfile finds a part of a benchmark by its runfiles path.
func Runfile(place string) (string, error) {
	path, err := runfiles.Rlocation(place)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", errs.Wrap(CodeRunfiles, err, "%q is not in the runfiles of the program", place).Hint("start it with ./bazelw run")
	}
	return path, nil
}
