// Package detector scores four signals, with settings from TOML.
package detector

import (
	_ "embed"

	"github.com/pelletier/go-toml/v2"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

//go:embed detector.toml
var file []byte

type settings struct {
	Signals int64
	Gain    float64
}

// Model computes score [signals] = gain * weight [signals] * x [signals].
func Model(m *lang.Module) {
	var s settings
	if err := toml.Unmarshal(file, &s); err != nil {
		panic(err)
	}
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, s.Signals)
		f.Output("score", x.Mul(nn.Param(f, "weight")).MulScalar(s.Gain))
	})
}
