package peft

import (
	"encoding/json"
	"io"
	"math"
	"regexp"
	"slices"
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

// config is the settings that decide what a layer computes.
type config struct {
	Kind         string             `json:"peft_type"`
	Alpha        *float64           `json:"lora_alpha"`
	Rank         *int64             `json:"r"`
	RankScaled   bool               `json:"use_rslora"` // by its square root
	Alphas       map[string]float64 `json:"alpha_pattern"`
	Magnitudes   bool               `json:"use_dora"`
	Transposed   bool               `json:"fan_in_fan_out"`
	Bias         string             `json:"bias"`
	BiasOfB      bool               `json:"lora_bias"`
	Whole        []string           `json:"modules_to_save"`
	Replicated   json.RawMessage    `json:"layer_replication"`
	patterns     []*regexp.Regexp   // of the keys of Alphas, sorted
	patternNames []string
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
		return nil, errs.New(CodeConfig, "%d bytes of settings, the limit is %d", len(data), maxConfig).At(maxConfig)
	}
	if at := jsonlimit.Exceeds(data, maxNesting, maxValues); at >= 0 {
		return nil, errs.New(CodeConfig, "more than %d values, or nested more than %d deep", maxValues, maxNesting).At(int64(at))
	}
	var c config
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, errs.Wrap(CodeConfig, err, "not the settings of an adapter").Hint("give the adapter_config.json that PEFT saved")
	}
	return &c, c.check()
}

func (c *config) check() error {
	for _, u := range []struct {
		is   bool
		name string
		what string
	}{
		{c.Kind != "LORA", kindKey, "the adapter is of the kind " + c.Kind + "; only LORA is supported"},
		{c.Magnitudes, "use_dora", "weights are normalised by magnitudes (DoRA), which is not supported"},
		{c.Transposed, "fan_in_fan_out", "weights are stored as [in, out], which is not supported"},
		{c.Bias != "" && c.Bias != "none" || c.BiasOfB, "bias", "the adapter changes biases, which is not supported"},
		{len(c.Whole) > 0, "modules_to_save", "the adapter replaces whole modules, which is not supported"},
		{len(c.Replicated) > 0 && string(c.Replicated) != "null", "layer_replication", "the adapter repeats layers, which is not supported"},
	} {
		if u.is {
			return errs.New(CodeUnsupported, "%s", u.what).On(u.name).Hint("merge the adapter into the model's weights with PEFT, and use these")
		}
	}
	if c.Alpha == nil || !finite(*c.Alpha) {
		return errs.New(CodeConfig, "there is no number lora_alpha").On("lora_alpha")
	}
	if c.Rank != nil && *c.Rank < 1 {
		return errs.New(CodeConfig, "the rank %d is below 1", *c.Rank).On("r")
	}
	for name := range c.Alphas {
		c.patternNames = append(c.patternNames, name)
	}
	slices.Sort(c.patternNames)
	for _, name := range c.patternNames {
		p, err := regexp.Compile(`^(.*\.)?(` + name + `)$`) // as PEFT matches it
		if err != nil {
			return errs.Wrap(CodeConfig, err, "%q is not a regular expression", name).On("alpha_pattern")
		}
		c.patterns = append(c.patterns, p)
	}
	return nil
}

// modulePrefix precedes the names of a model's own modules in a file of tensors.
const modulePrefix = "base_model.model."

// scale returns the factor of a layer.
func (c *config) scale(layer string, rank int64) (float32, error) {
	alpha, by := *c.Alpha, ""
	layer = strings.TrimPrefix(layer, modulePrefix)
	for i, p := range c.patterns {
		if !p.MatchString(layer) {
			continue
		}
		name := c.patternNames[i]
		if by != "" && c.Alphas[name] != alpha {
			return 0, errs.New(CodeConfig, "both %q and %q fit the layer %s, with other numbers", by, name, layer).On("alpha_pattern")
		}
		alpha, by = c.Alphas[name], name
	}
	s := alpha / float64(rank)
	if c.RankScaled {
		s = alpha / math.Sqrt(float64(rank))
	}
	if f := float32(s); finite(float64(f)) {
		return f, nil
	}
	return 0, errs.New(CodeConfig, "the factor %g of the layer %s is not a finite f32", s, layer).On("lora_alpha")
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
