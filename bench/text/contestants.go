package main

import (
	"context"
	"io"
	"strconv"

	"github.com/skainet-dev/skainet-go/bench/harness"
)

// Where the parts are among the runfiles; set by the BUILD file. A target without
// some of the contestants leaves theirs empty.
var (
	oursBinary      string
	programV3       string
	programV4       string
	contractFile    string
	archiveFile     string
	libraryFile     string
	referenceBinary string
	indexFile       string
	weightPolicy    string // not a file
	modelName       string // in figures, not a file
	python          string
	llamaCpp        string
	weightsFile     string
)

// spec is a contestant: its name and its command, in which runfiles are named by their
// place among the runfiles.
type spec struct {
	name    string
	about   string
	peer    bool
	needs   []string // runfiles without which the contestant is not part of this target
	command func(path func(string) string, threads int) []string
}

// contestants of the benchmark. llama.cpp chooses kernels when it runs; of our programs,
// chat takes the best for the processor. Both are measured.
func contestants() []spec {
	ours := func(name, level, program string) spec {
		return spec{name, "compiled for " + level, false, []string{oursBinary, program}, func(path func(string) string, threads int) []string {
			return []string{
				path(oursBinary), "--program", path(program), "--contract", path(contractFile), "--archive", path(archiveFile),
				"--library", path(libraryFile), "--threads", strconv.Itoa(threads),
			}
		}}
	}
	return []spec{
		ours("ours-v3", "x86-64-v3 (AVX2)", programV3),
		ours("ours-v4", "x86-64-v4 (AVX-512)", programV4),
		{"ours-go", "no compiler; chooses its kernels when it runs", false, []string{referenceBinary}, func(path func(string) string, _ int) []string {
			return []string{
				path(referenceBinary), "--index", path(indexFile), "--contract", path(contractFile), "--archive", path(archiveFile),
				"--weights", weightPolicy,
			}
		}},
		{"llama.cpp", "chooses its kernels when it runs", true, []string{python}, func(path func(string) string, threads int) []string {
			return []string{path(python), path(llamaCpp), path(weightsFile), strconv.Itoa(threads)}
		}},
	}
}

// start starts a contestant and waits until it has loaded.
func start(ctx context.Context, s spec, threads int, stderr io.Writer, ready any) (*harness.Child, error) {
	var failure error
	command := s.command(func(place string) string {
		path, err := harness.Runfile(place)
		if err != nil && failure == nil {
			failure = err
		}
		return path
	}, threads)
	if failure != nil {
		return nil, failure
	}
	return harness.Launch(ctx, stderr, harness.Command{Name: s.name, Args: command, Env: harness.Environment(harness.Threads(threads)...)}, ready)
}

// Contestant is for harness.Choose.
func (s spec) Contestant() (name string, needs []string) { return s.name, s.needs }
