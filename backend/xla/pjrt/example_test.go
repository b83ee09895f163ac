package pjrt_test

import (
	"fmt"
	"log"
	"os"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/tensor"
)

// A text is compiled and runs, without Python and without cgo.
func Example() {
	plugin, err := pjrt.Load(os.Getenv(pjrt.Variable), pjrt.Options{})
	if err != nil {
		log.Fatal(err)
	}
	client, err := plugin.NewClient(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	program, err := client.Compile([]byte(`module {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %y = stablehlo.add %x, %x : tensor<3xf32>
    return %y : tensor<3xf32>
  }
}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	v, err := tensor.Of([]float32{1, 2, 3}, 3)
	if err != nil {
		log.Fatal(err)
	}
	x, err := client.Copy(v, client.Devices()[0])
	if err != nil {
		log.Fatal(err)
	}
	run, err := program.Start(x)
	if err != nil {
		log.Fatal(err)
	}
	y, err := run.Results[0].Read()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y.Type)
}
