package irpa_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/io/irpa"
)

// An archive holds the parameters of programs by their keys; zeros need no room in it.
func ExampleWrite() {
	folder, err := os.MkdirTemp("", "irpa")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.irpa")
	err = irpa.Write(path, []irpa.Item{
		irpa.Bytes("fc.weight", []byte{1, 2, 3, 4}),
		{Name: "fc.bias", Length: 1 << 20, Pattern: []byte{0}},
	})
	if err != nil {
		log.Fatal(err)
	}

	file, err := irpa.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for _, e := range file.Entries() {
		fmt.Println(e.Name, e.Length)
	}
	fmt.Println("small:", file.Size() < 1<<20)
	// Output:
	// fc.weight 4
	// fc.bias 1048576
	// small: true
}
