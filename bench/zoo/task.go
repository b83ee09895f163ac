package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/models/zoo/piper"
	"github.com/skainet-dev/skainet-go/tensor"
)

// task is what a call of a model is.
type task interface {
	// own returns what the program does in a call.
	own(parts *program.Parts, x backend.Executable) (call, error)
	// file returns the model that the peer runs, made in that folder if it is not there yet.
	file(parts *program.Parts, folder string) (path string, err error)
	// given returns a .npz with the arguments of the whole file, made in a folder that is
	// there as long as the peer if it is not there yet.
	given(parts *program.Parts, folder string) (path string, err error)
}

// call is what is measured.
type call struct {
	does    func(context.Context) ([]tensor.Value, error)
	results []string // their names
	full    bool     // results are scaled so that their greatest magnitude is 1
}

// recorded is the first call of the record.
type recorded struct{}

func (recorded) own(parts *program.Parts, x backend.Executable) (c call, err error) {
	path, err := parts.File("record", "")
	if err != nil {
		return c, err
	}
	list, err := parity.Recorded(x.Contract(), "record", []string{path})
	if err != nil {
		return c, err
	}
	first := list.Calls[0]
	e, err := x.Contract().Entry(first.Entry)
	if err != nil {
		return c, err
	}
	for _, r := range e.Results {
		c.results = append(c.results, r.Name)
	}
	c.does = func(ctx context.Context) ([]tensor.Value, error) { return x.Call(ctx, first.Entry, first.Args...) }
	return c, nil
}

func (recorded) file(parts *program.Parts, _ string) (string, error) { return parts.File("onnx", "") }

func (recorded) given(parts *program.Parts, _ string) (string, error) {
	return parts.File("record", "")
}

// dequantized is the first call of the record of a quantized model that is computed in f32. The
// peer runs the same, which a script makes of the file.
type dequantized struct{ recorded }

func (dequantized) file(parts *program.Parts, folder string) (string, error) {
	model, err := parts.File("onnx", "")
	if err != nil {
		return "", err
	}
	script, err := parts.File("converter", "")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "model.onnx")
	return path, convert(script, model, path)
}

// convert runs a Python script, which writes the last of its arguments.
func convert(script string, args ...string) error {
	interpreter, err := harness.Runfile(python)
	if err != nil {
		return err
	}
	if said, err := exec.Command(interpreter, append([]string{script}, args...)...).CombinedOutput(); err != nil { //nolint:gosec // runfiles
		return errs.Wrap(harness.CodeContestant, err, "%s cannot be made: %s", filepath.Base(args[len(args)-1]), said).In(args[0])
	}
	return nil
}

// speech is a sentence of Piper: for our program both entry points, one after the other, and
// for the file one call. The noise is made in a call, too, and scaled by 0, so that the
// sentence lasts as long each time and in both.
type speech struct{}

// plain are scales without variation.
var plain = piper.Scales{Length: 1}

func (speech) sentence(parts *program.Parts) (voice *piper.Voice, phonemes string, err error) {
	path, err := parts.File("voice", "")
	if err != nil {
		return nil, "", err
	}
	if voice, err = piper.LoadVoice(path); err != nil {
		return nil, "", err
	}
	if path, err = parts.File("record", ""); err != nil {
		return nil, "", err
	}
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, "", err
	}
	var doc struct{ Phonemes string }
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, "", errs.Wrap(harness.CodeRunfiles, err, "no sentence").In(path)
	}
	return voice, doc.Phonemes, nil
}

func (s speech) own(parts *program.Parts, x backend.Executable) (c call, err error) {
	voice, phonemes, err := s.sentence(parts)
	if err != nil {
		return c, err
	}
	speaker, err := piper.New(x, voice)
	if err != nil {
		return c, err
	}
	random := rand.New(rand.NewPCG(1, 0)) //nolint:gosec // noise
	c.results, c.full = []string{"output"}, true
	c.does = func(ctx context.Context) ([]tensor.Value, error) {
		samples, _, err := speaker.Say(ctx, phonemes, plain, random)
		if err != nil {
			return nil, err
		}
		v, err := tensor.Of(samples, int64(len(samples)))
		return []tensor.Value{v}, err
	}
	return c, nil
}

func (speech) file(parts *program.Parts, _ string) (string, error) { return parts.File("onnx", "") }

func (s speech) given(parts *program.Parts, folder string) (string, error) {
	voice, phonemes, err := s.sentence(parts)
	if err != nil {
		return "", err
	}
	ids, _ := voice.IDs(phonemes)
	var list []npy.Array
	add := func(name string, v tensor.Value, bad error) {
		list = append(list, npy.Array{Name: name, Value: v})
		if err == nil {
			err = bad
		}
	}
	n := int64(len(ids))
	input, bad := tensor.Of(ids, 1, n)
	add("input", input, bad)
	lengths, bad := tensor.Of([]int64{n}, 1)
	add("input_lengths", lengths, bad)
	scales, bad := tensor.Of([]float32{float32(plain.Noise), float32(plain.Length), float32(plain.Width)}, 3)
	add("scales", scales, bad)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "sentence.npz")
	return path, npy.WriteArchive(path, list)
}
