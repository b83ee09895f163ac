package errs_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// second drops a result.
func second[T any](_ T, err error) error { return err }

// What a dependent calls with something damaged gives an error that errors.As matches,
// with the code of its package and a message that begins with it, and says where.
func TestPublicPackagesGiveCodedErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.bin")
	require.NoError(t, os.WriteFile(bad, []byte("{\"no\": "), 0o600))
	none := filepath.Join(dir, "none")
	entry := &contract.Entry{Name: "main"}
	ctx := context.Background()
	for name, tt := range map[string]struct {
		err   error
		area  string // that the code begins with
		place string // "file", "node" or none
	}{
		"argtext.Parse":         {second(argtext.Parse(entry, []string{"x=1"})), "BACKEND_", "node"},
		"chat.Parse":            {second(chat.Parse("{% if %}")), "CHAT_", ""},
		"contract.Parse":        {second(contract.Parse([]byte("{"))), "CONTRACT_", ""},
		"contract.ReadFile":     {second(contract.ReadFile(bad)), "CONTRACT_", "file"},
		"convert.FormatFor":     {second(convert.FormatFor("a.b")), "", ""},
		"convert.ParseRule":     {second(convert.ParseRule("a=b")), "", ""},
		"cpu.Load":              {second(cpu.Load(&dag.Graph{}, nil, nil)), "", ""},
		"ctranslate2.Open":      {second(ctranslate2.Open(bad)), "CT2_", "file"},
		"dtype.Parse":           {second(dtype.Parse("f33")), "", ""},
		"open.Graph":            {second(open.Graph(ctx, &dag.Graph{}, open.Options{Backend: "gpu"})), "EVAL_", ""},
		"export.ParsePolicy":    {second(export.ParsePolicy("most")), "EXPORT_", ""},
		"export.ReadIndex":      {second(export.ReadIndex(bad)), "", "file"},
		"gguf.Open":             {second(gguf.Open(bad)), "GGUF_", "file"},
		"graphjson.ReadFile":    {second(graphjson.ReadFile(bad)), "", "file"},
		"hlo.Emit":              {second(hlo.Emit(&dag.Graph{}, hlo.Options{})), "", ""},
		"iree.Open":             {second(iree.Open(iree.Options{Program: none, Contract: &contract.Contract{}})), "", ""},
		"ireert.Load":           {second(ireert.Load(none)), "IREE_", "file"},
		"irpa.Open":             {second(irpa.Open(bad)), "IRPA_", "file"},
		"lang.Capture":          {second(lang.Capture("m", nil, func(*lang.Module) { panic("of a model's author") })), "LANG_", ""},
		"npy.ReadFile":          {second(npy.ReadFile(bad)), "NPY_", "file"},
		"pack.Files":            {second(pack.Files(none, pack.Inputs{Weights: bad}, "model", pack.Options{})), "WEIGHTS_", "file"},
		"quant.Parse":           {second(quant.Parse("Q9")), "", ""},
		"safetensors.Open":      {second(safetensors.Open(bad)), "SAFETENSORS_", "file"},
		"shape.Parse":           {second(shape.Parse("x*")), "", ""},
		"tensor.ParseIndex":     {second(tensor.ParseIndex([]byte("{"))), "INDEX_", ""},
		"textmodel.Open":        {second(textmodel.Open(bad)), "", "file"},
		"tokenizer.Load":        {second(tokenizer.Load(bad)), "TOKENIZER_", "file"},
		"transform.Parse":       {second(transform.ParseStorage("Q9")), "", ""},
		"wav.DecodeFile":        {second(wav.DecodeFile(bad)), "WAV_", "file"},
		"weights.Open":          {second(weights.Open(bad)), "WEIGHTS_", "file"},
		"weights.Open, nothing": {second(weights.Open(none)), "FILE_", "file"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, tt.err)
			var e *errs.Error
			require.ErrorAs(t, tt.err, &e)
			require.NotEmpty(t, e.Code)
			require.Equal(t, e.Code, errs.CodeOf(tt.err))
			require.True(t, strings.HasPrefix(tt.err.Error(), string(e.Code)+": "), "%v", tt.err)
			require.True(t, strings.HasPrefix(string(e.Code), tt.area), "%v", tt.err)
			require.NotEmpty(t, e.What+e.Do, "%v", tt.err)
			switch tt.place {
			case "file":
				require.NotEmpty(t, e.File, "%v", tt.err)
			case "node":
				require.NotEmpty(t, e.Node, "%v", tt.err)
			}
		})
	}
}
