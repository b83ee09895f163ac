package export_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Run writes the StableHLO text of a model and its contract. The CPU backend folds
// constants: here the program adds 3, not 1 and 2.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "export")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	model := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			three := f.Splat(dtype.F32, 1).AddScalar(2)
			f.Output("y", f.Input("x", dtype.F32, 4).Add(three))
		})
	}
	options := export.Options{
		Name:     "shift",
		Text:     filepath.Join(folder, "shift.mlir"),
		Contract: filepath.Join(folder, "shift.contract.json"),
	}
	_, module, err := export.Run(cpu.Evaluate, model, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range module.Contract.Entries {
		fmt.Println(e.Name, e.Args[0].Name, e.Args[0].Type(), "->", e.Results[0].Name, e.Results[0].Type())
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(filepath.Base(f))
	}
	// Output:
	// main x f32[4] -> y f32[4]
	// shift.contract.json
	// shift.mlir
}
