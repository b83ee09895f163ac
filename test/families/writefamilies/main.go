// Command writefamilies writes the files of package families into a folder, for record.py.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/test/families"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: writefamilies FOLDER")
		os.Exit(2)
	}
	for _, f := range slices.Concat(families.All(), families.More(), families.Encoders()) {
		data, err := f.Encode()
		if err == nil {
			err = atomicfile.WriteAll(atomicfile.Bytes(filepath.Join(os.Args[1], f.Name+".gguf"), data))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
