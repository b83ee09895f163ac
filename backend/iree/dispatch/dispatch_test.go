package dispatch

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func file(t *testing.T, name string) string {
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return string(data)
}

// What IREE's tools said of five calls. The times are the least ones of the events; operations
// and bytes are worked out by hand: 2 x 128 x 384 x 1536, and operands and result in f32.
func TestRows(t *testing.T) {
	text, err := ParseText([]byte(file(t, "products.dispatches.mlir")))
	require.NoError(t, err)
	events := file(t, "products.events.jsonl")
	want := []Row{
		{Name: "main_dispatch_0_matmul_128x1536x384_f32", Count: 1, Time: 5755616, FLOPs: 150994944, Bytes: 4 * (128*384 + 384*1536 + 128*1536)},
		{Name: "main_dispatch_1_matmul_128x384x1536_f32", Count: 1, Time: 1893779, FLOPs: 150994944, Bytes: 4 * (128*384 + 384*1536 + 128*1536)},
		{Name: "main_dispatch_2_reduction_128x384_f32", Count: 1, Time: 35491, Bytes: 4 * 2 * 128 * 384},
	}
	got, err := Rows(strings.NewReader(events), 5, "main", text)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))

	// Without the text, bytes are not known; in another entry point neither.
	for i := range want {
		want[i].Bytes = 0
	}
	for entry, text := range map[string]*Text{"main": nil, "other": text} {
		got, err := Rows(strings.NewReader(events), 5, entry, text)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got))
	}
}

const line = `{"type":"host_dispatch_event","key":"%","duration_ns":5,"valid":true}` + "\n"

// A dispatch that a call runs twice is one row, and at each place the least counts.
func TestPlaces(t *testing.T) {
	var events strings.Builder
	for _, ns := range []string{"9", "20", "10", "4"} { // two calls
		events.WriteString(strings.NewReplacer("%", "matvec_f16_8x16", ":5", ":"+ns).Replace(line))
	}
	text, err := ParseText([]byte(`util.func public @f() {
  %1 = flow.dispatch @matvec_f16_8x16::@matvec_f16_8x16(%w, %x) : (tensor<8x16xi16>, tensor<16xf32>) -> tensor<8xf32>
  %2 = flow.dispatch @matvec_f16_8x16::@matvec_f16_8x16(%v, %1) : (tensor<8x16xi16>, tensor<16xf32>) -> tensor<8xf32>
}`))
	require.NoError(t, err)
	rows, err := Rows(strings.NewReader(events.String()), 2, "f", text)
	require.NoError(t, err)
	require.Equal(t, []Row{{Name: "matvec_f16_8x16", Count: 2, Time: 13 * time.Nanosecond, FLOPs: 2 * 2 * 8 * 16, Bytes: 2 * (2*8*16 + 4*16 + 4*8)}}, rows)
}

// What is not known stays 0.
func TestUnknown(t *testing.T) {
	const own = "main_dispatch_3_conv_2d_nchw_fchw_1x8x4x4x3x3x3_f32"
	for name, tt := range map[string]struct {
		dispatch, text string
		flops, bytes   int64
	}{
		"a convolution's name":         {own, "", 2 * 8 * 4 * 4 * 27, 0},
		"a size that depends":          {"main_dispatch_3_matmul_like_Dx8x4_f32", "", 0, 0},
		"another operation":            {"main_dispatch_3_elementwise_8x4_f32", "", 0, 0},
		"no operation":                 {"main_dispatch_514", "", 0, 0},
		"a dynamic operand":            {"matmul_f32", `flow.dispatch @matmul_f32::@matmul_f32[%m](%w, %x, %m) : (tensor<8x4xf32>, tensor<?x4xf32>{%m}, index) -> tensor<?x8xf32>{%m}`, 0, 0},
		"a kernel out of the table":    {"take_q8_0", `flow.dispatch @take_q8_0::@take_q8_0(%w, %i) : (tensor<8x1x34xi8>, tensor<2xi32>) -> tensor<2x32xf32>`, 0, 0},
		"a result in an operand":       {own, `flow.dispatch @e::@` + own + `(%a) : (tensor<8xf32>) -> %a`, 2 * 8 * 4 * 4 * 27, 0},
		"an operand that is read once": {own, `flow.dispatch @e::@` + own + `(%a) : (tensor<8xf32>) -> tensor<8xi1>`, 2 * 8 * 4 * 4 * 27, 40},
		"an operand read in part":      {own, `flow.dispatch @part::@` + own + `(%a) : (tensor<8xf32>) -> tensor<8xf32>`, 2 * 8 * 4 * 4 * 27, 0},
		"an operand that is gathered":  {own, `flow.dispatch @gather::@` + own + `(%a) : (tensor<8xf32>) -> tensor<8xf32>`, 2 * 8 * 4 * 4 * 27, 0},
		"sizes beyond an int64":        {own, `flow.dispatch @e::@` + own + `(%a) : (tensor<9000000000x9000000000xf32>) -> tensor<8xf32>`, 2 * 8 * 4 * 4 * 27, 0},
		"run from a loop":              {own, `flow.dispatch @e::@` + own + `(%a) : (tensor<8xf32>) -> tensor<8xf32>` + "\n" + `flow.dispatch @e::@` + own + `(%a) : (tensor<8xf32>) -> tensor<8xf32>`, 2 * 8 * 4 * 4 * 27, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := ParseText([]byte(`flow.executable private @part {
  %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<4xf32>
}
flow.executable private @gather {
  %x = tensor.extract %0[%i] : tensor<8xf32>
}
util.func public @other() { 
  flow.dispatch @e::@x(%a) : (tensor<8xf32>) -> tensor<8xf32>
}
util.func public @main() {
` + tt.text + "\n}"))
			require.NoError(t, err)
			flops, bytes := text.work("main", tt.dispatch, 1)
			require.Equal(t, [2]int64{tt.flops, tt.bytes}, [2]int64{flops, bytes})
		})
	}
}

// The table of kernels names kernels that there are, with operands in the order that they have.
func TestKernels(t *testing.T) {
	conv := kernels.Conv{Kernel: [2]int64{3, 3}, Strides: [2]int64{1, 1}, Dilation: [2]int64{1, 1}}
	symbols := map[string]string{
		"matmul_":          kernels.MatMul{N: 16, K: 32, Encoding: quant.Dense, Weight: dtype.F16}.Symbol(),
		"matvec_":          kernels.MatVec{N: 16, K: 32, Weight: dtype.F16}.Symbol(),
		"integer_product_": kernels.IntegerProduct{Weight: dtype.I8}.Symbol(),
		"vecmat":           kernels.VecMat{}.Symbol(),
		"product":          kernels.Product.Symbol(),
		"conv":             conv.Symbol(),
		"depthwise":        kernels.Depthwise{Conv: conv}.Symbol(),
	}
	for _, k := range table {
		symbol, ok := symbols[k.symbol]
		require.True(t, ok, k.symbol)
		require.True(t, strings.HasPrefix(symbol, k.symbol), symbol)
		delete(symbols, k.symbol)
	}
	require.Empty(t, symbols)
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		events string
		calls  int
		want   string
	}{
		"nothing":             {"", 1, "0 dispatches"},
		"no call":             {line, 0, "1 dispatches are recorded of 0 calls"},
		"half a call":         {line + line + line, 2, "3 dispatches are recorded of 2 calls"},
		"another dispatch":    {strings.Replace(line, "%", "a", 1) + strings.Replace(line, "%", "b", 1), 2, `one call runs "a" where another runs "b"`},
		"no JSON":             {"dispatch", 1, "a line is not an event"},
		"a number as a key":   {`{"type":"host_dispatch_event","key":1}`, 1, "a line is not an event"},
		"no time":             {strings.Replace(line, "true", "false", 1), 1, "no valid time"},
		"less than no time":   {strings.Replace(line, ":5", ":-5", 1), 1, "no valid time"},
		"a line without end":  {strings.Repeat("x", maxLine+1), 1, "cannot be read"},
		"other lines, no one": {`{"type":"dispatch_summary"}`, 1, "0 dispatches"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Rows(strings.NewReader(tt.events), tt.calls, "main", nil)
			require.Equal(t, CodeProfile, errs.CodeOf(err))
			require.ErrorContains(t, err, tt.want)
		})
	}
	for _, text := range []string{"", "module {\n}\n", strings.Repeat("x", maxLine+1)} {
		_, err := ParseText([]byte(text))
		require.Equal(t, CodeProfile, errs.CodeOf(err))
	}
}

func FuzzParseText(f *testing.F) {
	f.Add("util.func public @f() {\n flow.dispatch @a::@b[%m](%x) : (tensor<8x4xf32>) -> tensor<8xf32>\n}")
	f.Add("flow.executable private @a {\n dispatch.tensor.load x dispatch.tensor<readonly:tensor<8xf32>> -> tensor<4xf32>\n}")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseText([]byte(text))
		if err != nil {
			return
		}
		for entry, uses := range parsed.uses {
			for name, list := range uses {
				flops, bytes := parsed.work(entry, name, len(list))
				require.GreaterOrEqual(t, flops, int64(0))
				require.GreaterOrEqual(t, bytes, int64(0))
			}
		}
	})
}
