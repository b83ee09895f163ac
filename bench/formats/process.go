package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// cost of a program that ran to its end: seconds, and peak memory.
type cost struct{ wall, cpu, peakMiB float64 }

// timed runs a program; its time is that from start to end.
func timed(ctx context.Context, program string, args ...string) (cost, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	begun := time.Now()
	err := cmd.Run()
	wall := time.Since(begun).Seconds()
	if err != nil {
		return cost{}, errs.Wrap(harness.CodeContestant, err, "%s", strings.TrimSpace(said.String())).On(filepath.Base(program))
	}
	s := cmd.ProcessState
	return cost{wall: wall, cpu: (s.UserTime() + s.SystemTime()).Seconds(), peakMiB: peakMiB(s)}, nil
}
