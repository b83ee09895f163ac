package peft

import (
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
)

// A setting is one of PEFT's LoraConfig. Whatever is not in the table may change what a
// layer computes, and is refused.
type setting struct {
	read  func(c *config, name string, v value) error // keeps what the factors need
	only  []string                                    // the JSON texts that leave a layer as it is; nil is any
	other string                                      // what another value does
}

var (
	off  = []string{"false", "null"}
	none = []string{"null", "[]", "{}", `""`}
)

// settings are those of LoraConfig, of peft 0.10 to 0.21, by name.
var settings = map[string]setting{
	// What decides the factors.
	kindKey:         {read: (*config).readKind},
	"lora_alpha":    {read: (*config).readAlpha},
	"r":             {read: (*config).readRank},
	"use_rslora":    {read: (*config).readRooted},
	"alpha_pattern": {read: func(c *config, name string, v value) error { return c.alphas.read(name, v, numberOf) }},
	"rank_pattern":  {read: func(c *config, name string, v value) error { return c.ranks.read(name, v, rankOf) }},

	// What says where the adapter is from, how it was trained, and which layers the tensors are of.
	"auto_mapping":            {},
	"base_model_name_or_path": {},
	"inference_mode":          {},
	"lora_dropout":            {},
	"megatron_core":           {},
	"peft_version":            {},
	"qalora_group_size":       {}, // read where use_qalora is true
	"revision":                {},
	"runtime_config":          {}, // where a computation runs
	"target_modules":          {},
	"task_type":               {},

	// What changes the layers, the weights below them, or which layers there are.
	"alora_invocation_tokens": {only: none, other: "the adapter begins at a token of the text (aLoRA)"},
	"arrow_config":            {only: none, other: "several adapters are mixed"},
	"bias":                    {only: []string{`"none"`, "null"}, other: "the adapter changes biases"},
	"corda_config":            {only: none, other: "the base weights were decomposed (CorDA)"},
	"ensure_weight_tying":     {only: off, other: "tied weights are adapted together"},
	"eva_config":              {only: none, other: "the ranks were distributed by the data (EVA)"},
	"exclude_modules":         {only: none, other: "layers are left out by name"},
	"fan_in_fan_out":          {only: off, other: "weights are stored as [in, out]"},
	"init_lora_weights":       {only: []string{"true", "false", `"gaussian"`, `"orthogonal"`}, other: "the first values may have changed the base weights"},
	"kasa_config":             {only: none, other: "the base weights were decomposed (KaSA)"},
	"lora_ga_config":          {only: none, other: "the base weights were changed by their gradients (LoRA-GA)"},
	"monteclora_config":       {only: none, other: "the weights are drawn (MonteCLoRA)"},
	"use_bdlora":              {only: off, other: "the weights are block-diagonal (BD-LoRA)"},
	"velora_config":           {only: none, other: "the inputs are compressed (VeLoRA)"},
	"layer_replication":       {only: none, other: "the adapter repeats layers"},
	"layers_pattern":          {only: none, other: "layers are chosen by number"},
	"layers_to_transform":     {only: none, other: "layers are chosen by number"},
	"loftq_config":            {only: none, other: "the base weights were quantised (LoftQ)"},
	"lora_bias":               {only: off, other: "the adapter changes biases"},
	"megatron_config":         {only: none, other: "the layers are those of Megatron"},
	"modules_to_save":         {only: none, other: "the adapter replaces whole modules"},
	"target_parameters":       {only: none, other: "parameters that are not of linear layers are adapted"},
	"trainable_token_indices": {only: none, other: "rows of the embeddings are replaced"},
	"use_dora":                {only: off, other: "weights are normalised by magnitudes (DoRA)"},
	"use_qalora":              {only: off, other: "inputs are pooled in groups (QA-LoRA)"},
}

const merge = "merge the adapter into the model's weights with PEFT, and use these"

func unsupported(name string, v value, what string) error {
	return errs.New(CodeUnsupported, "%s: %s, which is not supported", v.String(), what).On(name).At(v.at).Hint(merge)
}

// set takes or refuses one setting.
func (c *config) set(name string, v value) error {
	s, known := settings[name]
	switch {
	case !known:
		return errs.New(CodeUnsupported, "the setting %q is not known: it may change what a layer computes", name).On(name).At(v.at).
			Hint("spell it as PEFT does, upper and lower case too; remove it if it changes nothing; otherwise " + merge)
	case s.read != nil:
		return s.read(c, name, v)
	case s.only == nil:
		return nil
	}
	if v.Compact() != nil || !slices.Contains(s.only, v.String()) {
		return unsupported(name, v, s.other)
	}
	return nil
}

// kinds are what a JSON value can be, by jsontext.Kind.
var kinds = map[byte]string{'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "an array"}

func wrong(name string, v value, want string) error {
	return errs.New(CodeConfig, "the value is %s, want %s", kinds[byte(v.Kind())], want).On(name).At(v.at).Hint(saveAgain)
}

// numberOf reads a finite number.
func numberOf(name string, v value) (float64, error) {
	if v.Kind() != '0' {
		return 0, wrong(name, v, "a number without quotes")
	}
	f, err := strconv.ParseFloat(v.String(), 64)
	if err != nil || !finite(f) {
		return 0, errs.New(CodeConfig, "the value %s is beyond an f64", v.String()).On(name).At(v.at).Hint(saveAgain)
	}
	return f, nil
}

// rankOf reads a rank: an integer of at least 1.
func rankOf(name string, v value) (float64, error) {
	if v.Kind() != '0' {
		return 0, wrong(name, v, "an integer without quotes")
	}
	n, err := strconv.ParseInt(v.String(), 10, 32)
	if err != nil || n < 1 {
		return 0, errs.New(CodeConfig, "the value is %s, want an integer from 1", v.String()).On(name).At(v.at).Hint(saveAgain)
	}
	return float64(n), nil
}

func (c *config) readKind(name string, v value) error {
	if v.Kind() != '"' {
		return wrong(name, v, "a string")
	}
	if v.String() != `"LORA"` {
		return errs.New(CodeUnsupported, "the adapter is of the kind %s; only LORA is supported", v.String()).On(name).At(v.at).Hint(merge)
	}
	return nil
}

func (c *config) readAlpha(name string, v value) (err error) {
	c.alpha, err = numberOf(name, v)
	return err
}

func (c *config) readRank(name string, v value) error {
	r, err := rankOf(name, v)
	c.rank = int64(r)
	return err
}

func (c *config) readRooted(name string, v value) error {
	switch v.Kind() {
	case 't':
		c.rankScaled = true
	case 'f', 'n':
	default:
		return wrong(name, v, "true or false")
	}
	return nil
}
