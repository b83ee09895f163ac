// Command wasi runs a program for wasip1, WebAssembly with a system interface, in the
// runtime wazero:
//
//	wasi PROGRAM.wasm [ARGUMENT...]
//
// The program gets this command's environment, its standard streams, its folder and
// all files.
//
// # Errors
//
// A program that cannot be read, compiled or started is a line on standard error, and
// the exit status is 1; any other status is the program's own.
//
// # Determinism
//
// That of the program, which sees the clocks and random numbers of the machine.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: wasi PROGRAM.wasm [ARGUMENT...]")
		os.Exit(1)
	}
	err := run(context.Background(), os.Args[1], os.Args[1:])
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(int(exit.ExitCode()))
	} else if err != nil {
		fmt.Fprintf(os.Stderr, "wasi: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// run runs the program at path; a program that exits by itself is a sys.ExitError.
func run(ctx context.Context, path string, args []string) error {
	code, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	folder, err := os.Getwd()
	if err != nil {
		return err
	}
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	config := wazero.NewModuleConfig().
		WithArgs(args...).
		WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().
		WithRandSource(rand.Reader).
		WithFSConfig(wazero.NewFSConfig().WithDirMount("/", "/"))
	for _, variable := range os.Environ() {
		if name, value, ok := strings.Cut(variable, "="); ok && name != "PWD" {
			config = config.WithEnv(name, value)
		}
	}
	// Go's programs for wasip1 start in the folder that PWD names.
	_, err = r.InstantiateWithConfig(ctx, code, config.WithEnv("PWD", folder))
	return err
}
