// Command decode writes a picture's red, green and blue bytes to a .npy file.
package main

import (
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale/pixels"
	"github.com/skainet-dev/skainet-go/io/npy"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: decode PICTURE OUT.npy")
		os.Exit(2)
	}
	if err := decode(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "decode:", err)
		os.Exit(1)
	}
}

func decode(picture, out string) error {
	v, err := pixels.ReadRGB(picture, grayscale.Height, grayscale.Width)
	if err != nil {
		return err
	}
	return npy.WriteFile(out, v)
}
