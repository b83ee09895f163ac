// Command weights writes the model's weights as a safetensors file.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
)

const header = `{"scale":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},` +
	`"shift":{"dtype":"F32","shape":[3],"data_offsets":[12,24]}}`

func main() {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	data = append(data, header...)
	data, err := binary.Append(data, binary.LittleEndian, []float32{1, 2, -3, 0.5, 0.5, 0.5})
	if err == nil {
		err = os.WriteFile(os.Args[1], data, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
