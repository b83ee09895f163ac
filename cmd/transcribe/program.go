package main

import (
	"errors"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/models/whisper"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Codes of this program.
const (
	codeRunfiles errs.Code = "TRANSCRIBE_RUNFILES" // a part of the program is missing
	codeCPU      errs.Code = "TRANSCRIBE_CPU"      // no program for this processor
)

// parts locates the program of a model; //models/whisper:targets.bzl sets it.
var parts program.Parts

// open loads the program for the device.
func open(o program.Options) (backend.Executable, error) {
	x, err := parts.Open(o)
	return x, coded(err, o.Device)
}

// coded returns errors of package program with the codes that this program used
// before that package existed.
func coded(err error, device string) error {
	var e *errs.Error
	if !errors.As(err, &e) {
		return err
	}
	onCPU := device == "cpu" || strings.HasPrefix(device, "local-")
	switch {
	case e.Code == program.CodeRunfiles:
		return errs.Wrap(codeRunfiles, e.Cause, "%s", e.What).Hint("%s", e.Do)
	case e.Code == program.CodeDevice && onCPU:
		return errs.New(codeCPU, "%s", e.What).Hint("build another target, or use --device=vulkan")
	}
	return err
}

// decoding reads the tokenizer and the settings.
func decoding(o options) (tokenizer.Tokenizer, whisper.Settings, error) {
	path, err := parts.File("tokenizer", o.tokenizer)
	if err != nil {
		return nil, whisper.Settings{}, coded(err, "")
	}
	tokens, err := tokenizer.Load(path)
	if err != nil {
		return nil, whisper.Settings{}, err
	}
	if path, err = parts.File("settings", o.settings); err != nil {
		return nil, whisper.Settings{}, coded(err, "")
	}
	s, err := whisper.LoadSettings(path)
	return tokens, s, err
}
