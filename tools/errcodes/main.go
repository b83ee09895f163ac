// Command errcodes lists which error codes of this repository tests reach.
//
//	errcodes --run ./...            runs go test first
//	errcodes --logs bazel-testlogs  reads what bazel test left
//
// It prints each code with its package and the tests that reached it, and the
// fraction of codes that were reached. The exit status is 1 if a code was not.
// A test counts when it imports test/errtest.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/test/errtest"
)

func main() {
	root := flag.String("root", os.Getenv("BUILD_WORKSPACE_DIRECTORY"), "`folder` of the sources, by default the working folder of bazel run or of this program")
	logs := flag.String("logs", "", "`folder` with the records of tests, such as bazel-testlogs")
	run := flag.Bool("run", false, "run go test on the packages that are named")
	flag.Parse()
	if *run == (*logs != "") {
		fmt.Fprintln(os.Stderr, "errcodes: give --logs FOLDER, or --run and packages")
		os.Exit(2)
	}
	missing, err := report(os.Stdout, *root, *logs, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "errcodes:", err)
	}
	if err != nil || missing > 0 {
		os.Exit(1)
	}
}

// report prints the table and returns the number of codes that were not reached.
func report(out io.Writer, root, logs string, packages []string) (int, error) {
	if root != "" {
		if err := os.Chdir(root); err != nil {
			return 0, err
		}
	}
	var failed error
	if logs == "" {
		dir, err := os.MkdirTemp("", "errcodes-")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
		failed, logs = goTest(dir, packages), dir
	}
	codes, err := declared(".")
	if err != nil {
		return 0, err
	}
	reached, err := records(logs)
	if err != nil {
		return 0, err
	}
	return table(out, codes, reached), failed
}

// goTest runs the tests, whose output goes to stderr. Codes that a test reached
// before it failed count.
func goTest(dir string, packages []string) error {
	cmd := exec.Command("go", append([]string{"test", "-count=1"}, packages...)...)
	cmd.Env = append(os.Environ(), errtest.Variable+"="+dir)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	err := cmd.Run()
	var status *exec.ExitError
	if errors.As(err, &status) {
		return fmt.Errorf("go test: %w", err)
	}
	return err
}

// table prints a line for each code and returns the number of those that no
// test reached.
func table(out io.Writer, codes []declaration, reached map[string][]string) int {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CODE\tPACKAGE\tREACHED BY")
	missing := 0
	for _, c := range codes {
		by := strings.Join(reached[c.code], " ")
		if by == "" {
			by = "NO TEST"
			missing++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.code, strings.Join(c.packages, " "), by)
	}
	w.Flush()
	part := 100.0
	if len(codes) > 0 {
		part = 100 * float64(len(codes)-missing) / float64(len(codes))
	}
	fmt.Fprintf(out, "\n%d of %d codes are reached by a test: %.1f%%\n", len(codes)-missing, len(codes), part)
	for _, c := range codes {
		if len(reached[c.code]) == 0 {
			fmt.Fprintf(out, "not reached: %s\t%s\n", c.code, strings.Join(c.packages, " "))
		}
	}
	return missing
}
