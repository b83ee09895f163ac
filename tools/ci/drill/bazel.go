package drill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

// noTests is Bazel's exit status of a test command without tests.
const noTests = 4

// output is how much of Bazel's output is shown if it fails.
const output = 8 << 10

// build is one build by its spawns.
type build struct {
	spawns []spawn
	time   time.Duration
}

// build builds the targets, and tests those that are tests.
func (s *session) build(ctx context.Context, c checkout, name string, flags ...string) (*build, error) {
	log := s.path(name + ".json")
	args := []string{"--execution_log_json_file=" + log, "--test_output=errors"}
	args = append(append(append(args, flags...), s.Flags...), "--")
	begun := time.Now()
	if err := s.bazel(ctx, c, "test", append(args, s.Targets...)...); err != nil {
		return nil, err
	}
	b := &build{time: time.Since(begun)}
	f, err := os.Open(log)
	if err != nil {
		return nil, errs.Wrap(CodeLog, err, "the log of the build %s", name)
	}
	defer f.Close()
	if b.spawns, err = readSpawns(f); err != nil {
		return nil, errs.WithFile(err, log)
	}
	if err := os.Remove(log); err != nil {
		return nil, errs.Wrap(CodeLog, err, "the log of the build %s", name)
	}
	return b, nil
}

// bazel runs one command of Bazel in a checkout.
func (s *session) bazel(ctx context.Context, c checkout, command string, args ...string) error {
	_, err := s.bazelOutput(ctx, c, command, args...)
	return err
}

func (s *session) bazelOutput(ctx context.Context, c checkout, command string, args ...string) (string, error) {
	s.say("== bazel %s in %s", command, c.dir)
	words := []string{filepath.Join(c.dir, "bazelw"), "--output_base=" + c.base, "--max_idle_secs=600", command}
	if command != "shutdown" {
		words = append(words, "--color=no", "--curses=no", "--noshow_progress")
	}
	words = append(words, args...)
	if c.offline {
		// Its server lives in the same network namespace and ends with it.
		stop := []string{words[0], words[1], words[2], "shutdown"}
		words = append([]string{
			s.Bwrap, "--dev-bind", "/", "/", "--unshare-net", "--",
			"/bin/sh", "-c", `stop=$1; shift; "$@"; status=$?; eval "$stop"; exit $status`, "sh", quote(stop),
		}, words...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = c.dir, environment(os.Environ())
	// Bazel handles an interrupt itself: it ends its actions.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 30 * time.Second
	var stdout, all tail
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&stdout, &all), &all
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == noTests && command == "test" {
		err = nil
	}
	if err != nil {
		s.say("%s", all.data)
		return "", errs.Wrap(CodeBazel, err, "bazel %s %s", command, strings.Join(args, " ")).In(c.dir)
	}
	return string(stdout.data), nil
}

// environment omits the variables set by the Bazel that runs the drill.
func environment(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool {
		for _, prefix := range []string{"BUILD_", "RUNFILES_", "JAVA_RUNFILES", "TEST_", "BAZELISK_SKIP_WRAPPER", "OLDPWD"} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
}

// quote quotes arguments for a shell.
func quote(words []string) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "'%s' ", strings.ReplaceAll(w, "'", `'\''`))
	}
	return b.String()
}

// tail keeps the last bytes written to it.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if len(t.data) > 2*output {
		t.data = slices.Clone(t.data[len(t.data)-output:])
	}
	return len(p), nil
}

// onDisk compares the outputs of a build with the digests in its log.
func (s *session) onDisk(ctx context.Context, c checkout, b *build) (int, []string, error) {
	text, err := s.bazelOutput(ctx, c, "info", "execution_root")
	if err != nil {
		return 0, nil, err
	}
	root := strings.TrimSpace(text)
	var faults []string
	count := 0
	for path, out := range b.outputs() {
		got, err := sum(filepath.Join(root, path))
		if os.IsNotExist(err) { // such as a test's, which a later action removed
			continue
		}
		if err != nil {
			return 0, nil, errs.Wrap(CodeLog, err, "an output")
		}
		count++
		if got != out.hash {
			faults = append(faults, fmt.Sprintf("%s of %s has the sha256 %s, not %s as its log says", path, out.spawn, got, out.hash))
		}
	}
	slices.Sort(faults)
	return count, faults, nil
}

func sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// clean ends the servers and removes everything.
func (s *session) clean() {
	for _, v := range slices.Backward(s.services) {
		if err := v.stop(); err != nil {
			s.say("stopping a server: %v", err)
		}
	}
	// The context may be done; the servers must end all the same.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, name := range []string{"one", "two/in/another/folder"} {
		c := s.checkout(name)
		if _, err := os.Stat(filepath.Join(c.base, "server")); err == nil {
			if err := s.bazel(ctx, c, "shutdown"); err != nil {
				s.say("%v", err)
			}
		}
	}
	if err := removeAll(s.root); err != nil {
		s.say("%v", err)
	}
}
