package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// model is a size of Whisper, by its runfiles. A target without one leaves its program empty.
type model struct {
	name                                    string
	programV3, programV4                    string
	contract, archive, vocabulary, settings string
	weights                                 string // model.bin, with config.json and tokenizer.json beside it
	ggml                                    string // in whisper.cpp's format
}

// models of this target.
func models() []model {
	return []model{
		{"tiny.en", programV3, programV4, contractFile, archiveFile, tokenizerFile, settingsFile, weightsFile, ggml},
		{"base", baseV3, baseV4, baseContract, baseArchive, baseTokenizer, baseSettings, baseWeights, ""},
	}
}

// length is a clip: what is said in the clip of 11 s, some times.
type length struct {
	name  string
	times int
}

// In the clip of 60 s a quarter of a minute begins with each, so that it has two windows of 30 s
// with two of them each, in whatever way a contestant cuts it.
var lengths = []length{{"11 s", 1}, {"60 s", 4}}

const quarter = 15 // seconds

// task is a model with a clip.
type task struct {
	model
	length
}

// name is the case in figures.
func (t task) String() string { return t.model.name + " " + t.length.name }

// tasks returns those that this target has, or those of them that were asked for.
func tasks(only []string) ([]task, error) {
	var all []task
	var names []string
	for _, m := range models() {
		for _, l := range lengths {
			if t := (task{m, l}); m.programV3 != "" {
				all, names = append(all, t), append(names, t.String())
			}
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, errs.New(harness.CodeFlags, "unknown case %q", name).On("--cases").Hint("cases of this target: %s", strings.Join(names, ", "))
		}
	}
	if len(only) > 0 {
		all = slices.DeleteFunc(all, func(t task) bool { return !slices.Contains(only, t.String()) })
	}
	if len(all) == 0 {
		return nil, errs.New(harness.CodeFlags, "this target has no model").Hint("start it with ./bazelw run //bench/whisper")
	}
	return all, nil
}

// clips are files with what is said some times.
type clips struct {
	folder string
	paths  map[int]string
}

// newClips makes the clips of some lengths from one.
func newClips(path string) (*clips, error) {
	clip, err := wav.DecodeFile(path)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "bench-whisper")
	if err != nil {
		return nil, errs.Wrap(harness.CodeRunfiles, err, "no folder for the clips").Hint("set TMPDIR to a folder with free space")
	}
	c := &clips{folder, map[int]string{1: path}}
	for _, l := range lengths {
		if l.times == 1 {
			continue
		}
		c.paths[l.times] = filepath.Join(folder, strings.ReplaceAll(l.name, " ", "")+".wav")
		if err := wav.EncodeFile(c.paths[l.times], repeated(clip.Samples, clip.Rate, l.times), clip.Rate); err != nil {
			c.remove()
			return nil, err
		}
	}
	return c, nil
}

// repeated returns the samples at the beginning of each quarter of a minute.
func repeated(samples []float32, rate, times int) []float32 {
	all := make([]float32, times*quarter*rate)
	for i := range times {
		copy(all[i*quarter*rate:(i+1)*quarter*rate], samples)
	}
	return all
}

func (c *clips) remove() { os.RemoveAll(c.folder) }
