package errs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

// A download that broke off: the code says so, and the place where.
func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.gguf")
	if err := os.WriteFile(path, []byte("GGUF\x03\x00\x00\x00"), 0o600); err != nil {
		panic(err)
	}

	_, err = gguf.Open(path)
	var e *errs.Error
	if !errors.As(err, &e) {
		panic(err)
	}
	fmt.Println("code:", e.Code)
	fmt.Println("file:", filepath.Base(e.File))
	if e.HasOffset {
		fmt.Println("byte:", e.Offset)
	}
	fmt.Println("hint:", e.Do)
	// Output:
	// code: GGUF_TRUNCATED
	// file: model.gguf
	// byte: 8
	// hint: the file was cut short; fetch it again
}

// A switch over the codes of a package, and the error of the operating system below one.
func ExampleCodeOf() {
	_, err := gguf.Open("none.gguf")
	switch errs.CodeOf(err) {
	case gguf.CodeTruncated, gguf.CodeMagic:
		fmt.Println("fetch the file again")
	default:
		fmt.Println(errs.CodeOf(err), errors.Is(err, fs.ErrNotExist))
	}
	// Output: FILE_OPEN true
}
