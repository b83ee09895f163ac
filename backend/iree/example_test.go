package iree_test

import (
	"context"
	"log"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/tensor"
)

// An encoder's result stays on the device, where a decoder of the same program takes it
// any number of times.
func ExampleResident() {
	var options iree.Options // of a program with the entry points encode and decode
	program, err := iree.Open(options)
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()
	resident, ok := program.(iree.Resident)
	if !ok {
		log.Fatal("the program runs in a process of its own, which keeps nothing")
	}
	var picture tensor.Value
	encoded, err := resident.CallResident(context.Background(), "encode", []iree.Operand{{Host: picture}}, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer encoded[0].Device.Release()
	if _, err := resident.CallResident(context.Background(), "decode", encoded); err != nil {
		log.Fatal(err)
	}
}
