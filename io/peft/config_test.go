package peft

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// Every setting that is not right is refused with its name, place and advice.
func TestBadSettings(t *testing.T) {
	const alpha = `"lora_alpha": 16, `
	for name, tt := range map[string]struct {
		config string
		code   errs.Code
		where  string
	}{
		"no kind":            {`{"r": 4, "lora_alpha": 16}`, CodeConfig, "peft_type"},
		"kind is null":       {`{"peft_type": null, "r": 4, "lora_alpha": 16}`, CodeConfig, "peft_type"},
		"no alpha":           {with(`"bias": "none"`), CodeConfig, "lora_alpha"},
		"no rank":            {`{"peft_type": "LORA", "lora_alpha": 16}`, CodeConfig, "r"},
		"alpha is null":      {with(`"lora_alpha": null`), CodeConfig, "lora_alpha: the value is null, want a number"},
		"alpha is text":      {with(`"lora_alpha": "16"`), CodeConfig, "lora_alpha: the value is a string, want a number"},
		"alpha beyond f64":   {with(`"lora_alpha": 1e400`), CodeConfig, "lora_alpha"},
		"alpha beyond f32":   {with(`"lora_alpha": 1e300`), CodeConfig, "lora_alpha"},
		"alpha is no JSON":   {with(`"lora_alpha": NaN`), CodeConfig, "lora_alpha"},
		"rank 0":             {`{"peft_type": "LORA", "lora_alpha": 16, "r": 0}`, CodeConfig, "r: the value is 0"},
		"rank below 0":       {`{"peft_type": "LORA", "lora_alpha": 16, "r": -4}`, CodeConfig, "r: the value is -4"},
		"rank is a fraction": {`{"peft_type": "LORA", "lora_alpha": 16, "r": 4.5}`, CodeConfig, "r: the value is 4.5"},
		"rank is null":       {`{"peft_type": "LORA", "lora_alpha": 16, "r": null}`, CodeConfig, "r: the value is null"},
		"rank of no tensor":  {`{"peft_type": "LORA", "lora_alpha": 16, "r": 8}`, CodeConfig, "r says 8"},
		"pattern's rank":     {`{"peft_type": "LORA", "lora_alpha": 16, "r": 4, "rank_pattern": {"v_proj": 3}}`, CodeConfig, `rank_pattern["v_proj"] says 3`},
		"two ranks":          {`{"peft_type": "LORA", "lora_alpha": 16, "r": 4, "rank_pattern": {"v_proj": 2, "self_attn.v_proj": 4}}`, CodeConfig, `rank_pattern["v_proj"]`},
		"rank of a pattern":  {`{"peft_type": "LORA", "lora_alpha": 16, "r": 4, "rank_pattern": {"v_proj": null}}`, CodeConfig, `rank_pattern["v_proj"]: the value is null`},
		"another case":       {with(`"lora_alpha": 16, "LORA_ALPHA": 2`), CodeUnsupported, "LORA_ALPHA"},
		"alpha twice":        {with(`"lora_alpha": 16, "lora_alpha": 2`), CodeConfig, "lora_alpha"},
		"pattern twice":      {with(alpha + `"alpha_pattern": {"v_proj": 1, "v_proj": 2}`), CodeConfig, "alpha_pattern/v_proj"},
		"pattern is null":    {with(alpha + `"alpha_pattern": {"q_proj": null}`), CodeConfig, `alpha_pattern["q_proj"]: the value is null`},
		"pattern is text":    {with(alpha + `"alpha_pattern": {"q_proj": "2"}`), CodeConfig, `alpha_pattern["q_proj"]: the value is a string`},
		"patterns in a list": {with(alpha + `"alpha_pattern": ["q_proj"]`), CodeConfig, "alpha_pattern: the value is an array"},
		"two alphas":         {with(alpha + `"alpha_pattern": {"v_proj": 6, "self_attn.v_proj": 7}`), CodeConfig, `alpha_pattern["v_proj"]`},
		"no expression":      {with(alpha + `"alpha_pattern": {"(": 1}`), CodeConfig, `alpha_pattern["("]`},
		"two halves":         {with(alpha + `"alpha_pattern": {"a)|(b": 1}`), CodeConfig, `alpha_pattern["a)|(b"]`},
		"look-ahead":         {with(alpha + `"alpha_pattern": {"(?!x)q_proj": 1}`), CodeConfig, `alpha_pattern["(?!x)q_proj"]`},
		"rooted is a number": {with(alpha + `"use_rslora": 1`), CodeConfig, "use_rslora"},
		"a long pattern":     {with(alpha + `"alpha_pattern": {"` + strings.Repeat("a", maxPatternLength+1) + `": 1}`), CodeConfig, "alpha_pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			path := adapter(t, tt.config, two()...)
			_, err := Open(path)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.where)
			require.ErrorContains(t, err, path)
			requireAdvice(t, err)
		})
	}
}

// Whatever may change what a layer computes is refused, known or not.
func TestUnsupportedSettings(t *testing.T) {
	for name, texts := range map[string][]string{
		"peft_type":               {`"LOHA"`},
		"init_lora_weights":       {`"pissa"`, `"pissa_niter_4"`, `"olora"`, `"corda"`, `"eva"`, `"loftq"`, `"lora_ga"`, `null`, `1`},
		"alora_invocation_tokens": {`[1, 2]`},
		"bias":                    {`"all"`, `"lora_only"`, `true`},
		"corda_config":            {`{"corda_method": "ipm"}`},
		"eva_config":              {`{"rho": 2.0}`},
		"exclude_modules":         {`["q_proj"]`, `"q_proj"`},
		"fan_in_fan_out":          {`true`},
		"layer_replication":       {`[[0, 4]]`},
		"layers_pattern":          {`"layers"`},
		"layers_to_transform":     {`0`, `[0, 1]`},
		"loftq_config":            {`{"loftq_bits": 4}`},
		"lora_bias":               {`true`},
		"megatron_config":         {`{"x": 1}`},
		"modules_to_save":         {`["lm_head"]`},
		"target_parameters":       {`["experts.w"]`},
		"trainable_token_indices": {`[0]`, `{"embed": [0]}`},
		"use_dora":                {`true`, `1`, `"false"`},
		"use_qalora":              {`true`},
		"of_tomorrow":             {`true`, `null`},
	} {
		for _, text := range texts {
			base := map[string]string{"peft_type": `"LORA"`, "r": "4", "lora_alpha": "16"}
			base[name] = text
			var members []string
			for k, v := range base {
				members = append(members, fmt.Sprintf("%q: %s", k, v))
			}
			_, err := Open(adapter(t, "{"+strings.Join(members, ", ")+"}", pair(q, 6, 4, 8)...))
			require.Equal(t, CodeUnsupported, errs.CodeOf(err), "%s %s: %v", name, text, err)
			require.ErrorContains(t, err, name)
			requireAdvice(t, err)
		}
	}
}

// What the releases of PEFT write for LoraConfig's defaults is read. testdata/configs was
// written by testdata/gen_configs.py.
func TestSettingsOfPEFT(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "configs", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		f, err := Open(adapter(t, string(text), pair(q, 6, 8, 8)...))
		require.NoError(t, err, file)
		require.Equal(t, float32(1), scaleOf(t, f, q), file)
		require.NoError(t, f.Close())
	}
}

// A megabyte of patterns takes little memory, whatever they repeat.
func TestCostOfPatterns(t *testing.T) {
	many := func(n int, format string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"`+format+`": 1`, i))
		}
		return with(`"lora_alpha": 16, "alpha_pattern": {` + strings.Join(list, ",") + `}`)
	}
	for name, text := range map[string]string{
		"long repeats":  many(1600, "%d"+strings.Repeat(".{999}", 80)),
		"short repeats": many(50000, "%d.{999}"),
		"nested":        many(50000, "%d((x{9}){9}){9}"),
		"classes":       many(40000, `%d\\pL`),
		"names":         many(60000, "layer%d"),
		"one of many":   many(1, "%d"+strings.Repeat(`[^a]{9}`, 50)),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := parseConfig([]byte(text))
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
			if name != "one of many" {
				require.Equal(t, CodeConfig, errs.CodeOf(err), "%v", err)
				requireAdvice(t, err)
			} else {
				require.NoError(t, err)
			}
		})
	}
	// As many as the layers of a large model have, by name.
	c, err := parseConfig([]byte(many(2000, "model.layers.%d.self_attn.q_proj")))
	require.NoError(t, err)
	s, err := c.scale("base_model.model.model.layers.1999.self_attn.q_proj", 4)
	require.NoError(t, err)
	require.Equal(t, float32(0.25), s)
	// An expression is not compared with a name without end.
	c, err = parseConfig([]byte(many(1, "%d.*x")))
	require.NoError(t, err)
	_, err = c.scale(strings.Repeat("0", maxLayerName+1), 4)
	require.Equal(t, CodeTensor, errs.CodeOf(err))
}
