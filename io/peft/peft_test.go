package peft

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const (
	q = "base_model.model.model.layers.0.self_attn.q_proj"
	v = "base_model.model.model.layers.11.self_attn.v_proj"
)

// adapter writes both files and returns the path of the settings. Tensors are "NAME
// SIZExSIZE".
func adapter(t testing.TB, config string, tensors ...string) string {
	t.Helper()
	var items []safetensors.Item
	for _, text := range tensors {
		var name string
		var rows, columns int64
		_, err := fmt.Sscanf(strings.Replace(text, "x", " ", 1), "%s %d %d", &name, &rows, &columns)
		require.NoError(t, err, text)
		s := tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(rows, columns), Encoding: quant.Dense, Bytes: 4 * rows * columns}
		items = append(items, safetensors.Item{Spec: s, Data: tensor.Owned(make([]byte, s.Bytes))})
	}
	dir := t.TempDir()
	require.NoError(t, safetensors.Write(filepath.Join(dir, TensorsFile), items, nil))
	path := filepath.Join(dir, "adapter_config.json")
	require.NoError(t, os.WriteFile(path, []byte(config), 0o666))
	return path
}

func pair(layer string, in, rank, out int) []string {
	return []string{fmt.Sprintf("%s.lora_A.weight %dx%d", layer, rank, in), fmt.Sprintf("%s.lora_B.weight %dx%d", layer, out, rank)}
}

func two() []string { return append(pair(q, 6, 4, 8), pair(v, 6, 2, 3)...) }

func scaleOf(t *testing.T, f *File, layer string) float32 {
	t.Helper()
	b, err := f.Tensor(layer + EndScale)
	require.NoError(t, err)
	data, err := b.Bytes()
	require.NoError(t, err)
	return math.Float32frombits(binary.LittleEndian.Uint32(data))
}

// The factors are those of PEFT's peft/tuners/lora/layer.py: alpha/r, or alpha/sqrt(r).
func TestFactors(t *testing.T) {
	for name, tt := range map[string]struct {
		more string
		q, v float64
	}{
		"plain":          {`"lora_alpha": 16`, 4, 8},
		"fraction":       {`"lora_alpha": 0.5`, 0.125, 0.25},
		"by the root":    {`"lora_alpha": 16, "use_rslora": true`, 8, 16 / math.Sqrt2},
		"pattern":        {`"lora_alpha": 16, "alpha_pattern": {"v_proj": 6}`, 4, 3},
		"whole name":     {`"lora_alpha": 16, "alpha_pattern": {"model.layers.0.self_attn.q_proj": 2}`, 0.5, 8},
		"expression":     {`"lora_alpha": 16, "alpha_pattern": {"layers\\.[0-9]\\..*": 2}`, 0.5, 8},
		"from the start": {`"lora_alpha": 16, "alpha_pattern": {"^model.layers.0.*": 2}`, 0.5, 8},
		"half a word":    {`"lora_alpha": 16, "alpha_pattern": {"_proj": 2}`, 4, 8},
		"any character":  {`"lora_alpha": 16, "alpha_pattern": {"q.proj": 2}`, 0.5, 8},
		"same twice":     {`"lora_alpha": 16, "alpha_pattern": {"v_proj": 6, "self_attn.v_proj": 6}`, 4, 3},
		"no pattern":     {`"lora_alpha": 16, "alpha_pattern": null, "use_rslora": null`, 4, 8},
		"other fields":   {`"base_model_name_or_path": "x", "bias": "none", "modules_to_save": null, "lora_alpha": 16, "target_modules": ["q_proj"]`, 4, 8},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(adapter(t, with(tt.more), two()...))
			require.NoError(t, err)
			defer f.Close()
			require.Equal(t, float32(tt.q), scaleOf(t, f, q))
			require.Equal(t, float32(tt.v), scaleOf(t, f, v))
			var names []string
			for _, s := range f.Index().Tensors {
				names = append(names, s.Name+" "+s.Type().String())
			}
			require.Equal(t, []string{
				q + ".lora_A.weight f32[4x6]", q + ".lora_B.weight f32[8x4]", v + ".lora_A.weight f32[2x6]", v + ".lora_B.weight f32[3x2]",
				q + ".lora_scale f32[1]", v + ".lora_scale f32[1]",
			}, names)
		})
	}
}

// with returns settings that fit the tensors of two.
func with(more string) string {
	return `{"peft_type": "LORA", "r": 4, "rank_pattern": {"v_proj": 2}, ` + more + `}`
}

var good = with(`"lora_alpha": 16`)

func TestBadAdapters(t *testing.T) {
	for name, tt := range map[string]struct {
		config  string
		tensors []string
		code    errs.Code
		where   string
	}{
		"not JSON":          {`{"peft_type"`, two(), CodeConfig, ": byte "},
		"an array":          {`["peft_type"]`, two(), CodeConfig, ": byte "},
		"more after it":     {good + "1", two(), CodeConfig, ": byte "},
		"too deep":          {`{"peft_type": ` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`, two(), CodeConfig, ": byte "},
		"too many":          {`{"peft_type": "LORA", "x": [` + strings.Repeat("1,", 70000) + `1]}`, two(), CodeConfig, ": byte "},
		"too long":          {good + strings.Repeat(" ", maxConfig), two(), CodeConfig, ": byte "},
		"only A":            {good, two()[:1], CodeTensor, q + EndA},
		"only B":            {good, two()[1:2], CodeTensor, q + EndB},
		"another tensor":    {good, append(two(), "lm_head.weight 2x2"), CodeTensor, "lm_head.weight"},
		"an embedding":      {good, append(two(), "e.lora_embedding_A 2x2"), CodeTensor, "e.lora_embedding_A"},
		"other ranks":       {good, []string{q + ".lora_A.weight 4x6", q + ".lora_B.weight 8x3"}, CodeTensor, q + EndA},
		"rank 0 of tensors": {good, []string{q + ".lora_A.weight 0x6", q + ".lora_B.weight 8x0"}, CodeTensor, q + EndA},
	} {
		t.Run(name, func(t *testing.T) {
			path := adapter(t, tt.config, tt.tensors...)
			_, err := Open(path)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, filepath.Dir(path))
			require.ErrorContains(t, err, tt.where)
			requireAdvice(t, err)
			faults, err := Verify(path)
			require.NoError(t, err)
			require.Len(t, faults, 1)
			require.Equal(t, tt.code, errs.CodeOf(faults[0]))
		})
	}
	faults, err := Verify(adapter(t, good, two()...))
	require.NoError(t, err)
	require.Empty(t, faults)
}

// requireAdvice checks that an error says what to do.
func requireAdvice(t *testing.T, err error) {
	t.Helper()
	e, ok := errors.AsType[*errs.Error](err)
	require.True(t, ok)
	require.NotEmpty(t, e.Do, "%v", err)
	require.True(t, e.HasOffset || e.Node != "", "%v", err)
}

func TestMissingTensors(t *testing.T) {
	path := adapter(t, good, two()...)
	require.NoError(t, os.Remove(filepath.Join(filepath.Dir(path), TensorsFile)))
	_, err := Open(path)
	require.ErrorContains(t, err, TensorsFile)
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Len(t, faults, 1)
}

func TestFindConfig(t *testing.T) {
	for text, want := range map[string]bool{
		good: true, `{"a": {"b": [1, 2]}, "peft_type": "LOHA"}`: true,
		`{"a": {"peft_type": "LORA"}}`: false, `{"peft_type": 1}`: false, `{`: false, `[]`: false, `{"weight_map": {}}`: false, ``: false,
	} {
		require.Equal(t, want, FindConfig(strings.NewReader(text)), text)
	}
}

// Settings come from anywhere: no text may do more than be refused.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"peft_type": "LORA", "lora_alpha": 16, "alpha_pattern": {"v_proj": 6}, "use_rslora": true}`))
	f.Add([]byte(`{"peft_type": "LORA", "lora_alpha": 1e400}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig(data)
		if err != nil {
			require.Contains(t, []errs.Code{CodeConfig, CodeUnsupported}, errs.CodeOf(err))
			return
		}
		if s, err := c.scale(q, 4); err == nil {
			require.True(t, finite(float64(s)))
		}
	})
}
