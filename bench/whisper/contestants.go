package main

import (
	"path/filepath"

	"github.com/skainet-dev/skainet-go/bench/harness"
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

	baseV3, baseV4, baseContract, baseArchive, baseTokenizer, baseSettings string

	python        string
	fasterWhisper string
	whisperCpp    string
	weightsFile   string // model.bin, with config.json and tokenizer.json beside it
	baseWeights   string
	ggml          string
)

// spec is a contestant: its name and its command, in which runfiles are named by
// their place among the runfiles.
type spec struct {
	name    string
	about   string
	peer    bool
	needs   []string // runfiles without which the contestant is not part of this target
	command func(path func(string) string) []string
}

// contestants of a model and a clip. CTranslate2 chooses kernels when it runs; of our
// programs, transcribe takes the best for the processor. Both are measured.
func contestants(m model, clip string) []spec {
	ours := func(name, level, program string) spec {
		return spec{name: name, about: "compiled for " + level, needs: []string{program}, command: func(path func(string) string) []string {
			return []string{
				path(oursBinary), "--program", path(program), "--contract", path(m.contract), "--archive", path(m.archive),
				"--tokenizer", path(m.vocabulary), "--settings", path(m.settings), "--library", path(libraryFile), "--clip", clip,
			}
		}}
	}
	faster := func(name, about, compute string) spec {
		return spec{name: name, about: about, peer: true, needs: []string{python, m.weights}, command: func(path func(string) string) []string {
			return []string{path(python), path(fasterWhisper), filepath.Dir(path(m.weights)), clip, compute}
		}}
	}
	return []spec{
		ours("ours-v3", "x86-64-v3 (AVX2)", m.programV3),
		ours("ours-v4", "x86-64-v4 (AVX-512)", m.programV4),
		faster("faster-whisper", "f32, chooses its kernels when it runs", "float32"),
		faster("faster-whisper int8", "weights and products in int8, chooses its kernels when it runs", "int8"),
		{name: "whisper.cpp", about: "f16 weights, instructions as its wheel was built", peer: true, needs: []string{python, m.ggml}, command: func(path func(string) string) []string {
			return []string{path(python), path(whisperCpp), path(m.ggml), clip}
		}},
	}
}

// Contestant is for harness.Choose.
func (s spec) Contestant() (name string, needs []string) { return s.name, s.needs }

// located returns the function that finds runfiles; the first failure is kept.
func located(failure *error) func(string) string {
	return func(place string) string {
		path, err := harness.Runfile(place)
		if err != nil && *failure == nil {
			*failure = err
		}
		return path
	}
}
