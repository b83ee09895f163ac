package main

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/bench/figures"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Where the parts are among the runfiles; set by the BUILD file. A target without
// the peers leaves theirs empty.
var (
	oursBinary    string
	programV3     string
	programV4     string
	contractFile  string
	archiveFile   string
	tokenizerFile string
	settingsFile  string
	libraryFile   string
	clipFile      string

	python        string
	fasterWhisper string
	whisperCpp    string
	model         string // model.bin, with config.json and tokenizer.json beside it
	ggml          string
)

// spec is a subject: its name and its command, in which runfiles are named by
// their place among the runfiles.
type spec struct {
	name    string
	about   string
	peer    bool
	needs   []string // runfiles without which the subject is not part of this target
	command func(path func(string) string) []string
}

// subjects of the benchmark. CTranslate2 chooses kernels when it runs; of our
// programs, transcribe takes the best for the processor. Both are measured.
func subjects() []spec {
	ours := func(name, level, program string) spec {
		return spec{name: name, about: "compiled for " + level, needs: []string{program}, command: func(path func(string) string) []string {
			return []string{
				path(oursBinary), "--program", path(program), "--contract", path(contractFile), "--archive", path(archiveFile),
				"--tokenizer", path(tokenizerFile), "--settings", path(settingsFile), "--library", path(libraryFile), "--clip", path(clipFile),
			}
		}}
	}
	return []spec{
		ours("ours-v3", "x86-64-v3 (AVX2)", programV3),
		ours("ours-v4", "x86-64-v4 (AVX-512)", programV4),
		{name: "faster-whisper", about: "f32, chooses its kernels when it runs", peer: true, needs: []string{python}, command: func(path func(string) string) []string {
			return []string{path(python), path(fasterWhisper), filepath.Dir(path(model)), path(clipFile), "float32"}
		}},
		{name: "whisper.cpp", about: "f16 weights, instructions as its wheel was built", peer: true, needs: []string{python}, command: func(path func(string) string) []string {
			return []string{path(python), path(whisperCpp), path(ggml), path(clipFile)}
		}},
	}
}

// choose gives the subjects that this target has and this host can run, or those
// that were asked for, and what to know about the choice.
func choose(only []string) (chosen []spec, notes []string, err error) {
	var names []string
	for _, s := range subjects() {
		if slices.Contains(s.needs, "") {
			continue
		}
		names = append(names, s.name)
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		if level := missing(s.name); level != "" {
			notes = append(notes, s.name+" left out: this processor has no "+level)
			continue
		}
		chosen = append(chosen, s)
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, nil, errs.New("BENCH_FLAGS", "there is no subject %q", name).On("--only").
				Hint("subjects of this target: %s", strings.Join(names, ", "))
		}
	}
	if len(chosen) == 0 {
		return nil, nil, errs.New("BENCH_FLAGS", "nothing to measure: %s", strings.Join(notes, "; "))
	}
	return chosen, notes, nil
}

// missing names what a program of ours needs and the processor lacks.
func missing(name string) string {
	switch x := cpu.X86; {
	case name == "ours-v3" && !(x.HasAVX2 && x.HasFMA && x.HasBMI2):
		return "AVX2"
	case name == "ours-v4" && !(x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL):
		return "AVX-512"
	}
	return ""
}

// located gives the function that finds runfiles; the first failure is kept.
func located(failure *error) func(string) string {
	return func(place string) string {
		path, err := figures.Runfile(place)
		if err != nil && *failure == nil {
			*failure = err
		}
		return path
	}
}
