package peft

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
)

// Limits of the settings.
const (
	maxConfig  = 1 << 20
	maxValues  = 1 << 16
	maxNesting = 16
)

// kindKey is the setting by which a file of settings is recognised.
const kindKey = "peft_type"

const saveAgain = "give the adapter_config.json that PEFT's save_pretrained wrote"

// config is the settings that decide what a layer computes.
type config struct {
	alpha      float64
	rank       int64
	rankScaled bool // by its square root
	alphas     patterns
	ranks      patterns
	at         map[string]int64 // where each setting's value is
}

// FindConfig reports whether the text of r is a JSON object with a member peft_type, in
// its first MiB.
func FindConfig(r io.Reader) bool {
	d := jsontext.NewDecoder(io.LimitReader(r, maxConfig), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '{' {
		return false
	}
	_, _ = d.ReadToken() // the brace
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == kindKey {
			return d.PeekKind() == '"'
		}
		if d.SkipValue() != nil {
			return false
		}
	}
	return false
}

// parseConfig reads and checks the settings.
func parseConfig(data []byte) (*config, error) {
	if len(data) > maxConfig {
		return nil, errs.New(CodeConfig, "%d bytes of settings, the limit is %d", len(data), maxConfig).At(maxConfig).Hint(saveAgain)
	}
	if at := jsonlimit.Exceeds(data, maxNesting, maxValues); at >= 0 {
		return nil, errs.New(CodeConfig, "more than %d values, or nested more than %d deep", maxValues, maxNesting).At(int64(at)).Hint(saveAgain)
	}
	c := &config{at: map[string]int64{}}
	var unsupported error // said last: a file that is not one of settings at all is another fault
	err := members(data, 0, func(name string, v value) error {
		c.at[name] = v.at
		err := c.set(name, v)
		if errs.CodeOf(err) == CodeUnsupported {
			if unsupported == nil || name == kindKey {
				unsupported = err
			}
			return nil
		}
		return err
	})
	if err == nil {
		err = unsupported
	}
	if err == nil {
		err = c.complete()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// complete reports a setting that PEFT always writes and that is not there.
func (c *config) complete() error {
	for _, name := range []string{kindKey, "lora_alpha", "r"} {
		if _, has := c.at[name]; !has {
			return errs.New(CodeConfig, "there is no %s, which PEFT always writes", name).On(name).Hint(saveAgain)
		}
	}
	return nil
}

// value is a JSON value and its place.
type value struct {
	jsontext.Value
	at int64
}

// members calls f for each member of an object that begins at the offset at.
func members(object []byte, at int64, f func(name string, v value) error) error {
	d := jsontext.NewDecoder(bytes.NewReader(object)) // names that stand twice are its errors
	bad := func(err error) error {
		off, node := d.InputOffset(), ""
		if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			off, node = s.ByteOffset, strings.TrimPrefix(string(s.JSONPointer), "/")
		}
		what := "not a JSON object"
		if errors.Is(err, jsontext.ErrDuplicateName) {
			what = "a setting stands twice"
		}
		return errs.Wrap(CodeConfig, err, "%s", what).On(node).At(at + off).Hint(saveAgain)
	}
	if d.PeekKind() != '{' {
		_, err := d.ReadToken()
		if err == nil {
			err = errors.New("the text does not begin with {")
		}
		return bad(err)
	}
	_, _ = d.ReadToken() // the brace
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return bad(err)
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return bad(err)
		}
		if err := f(key, value{v.Clone(), at + d.InputOffset() - int64(len(v))}); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return bad(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("text follows the object")
		}
		return bad(err)
	}
	return nil
}

// modulePrefix precedes the names of a model's own modules in a file of tensors.
const modulePrefix = "base_model.model."

// scale returns the factor of a layer whose tensors have this rank.
func (c *config) scale(layer string, rank int64) (float32, error) {
	layer = strings.TrimPrefix(layer, modulePrefix)
	want, by, err := c.ranks.find(layer, float64(c.rank))
	if err != nil {
		return 0, err
	}
	if by == "" {
		by = "r"
	}
	if want != float64(rank) {
		return 0, errs.New(CodeConfig, "the layer %s has tensors of rank %d, and %s says %g", layer, rank, by, want).
			On(by).At(c.at[strings.SplitN(by, "[", 2)[0]]).
			Hint("give the two files of one adapter: PEFT writes a layer's own rank into rank_pattern")
	}
	alpha, by, err := c.alphas.find(layer, c.alpha)
	if err != nil {
		return 0, err
	}
	if by == "" {
		by = "lora_alpha"
	}
	s := alpha / float64(rank)
	if c.rankScaled {
		s = alpha / math.Sqrt(float64(rank))
	}
	if f := float32(s); finite(float64(f)) {
		return f, nil
	}
	return 0, errs.New(CodeConfig, "the factor %g of the layer %s is not a finite f32", s, layer).
		On(by).At(c.at[strings.SplitN(by, "[", 2)[0]]).Hint(saveAgain)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
