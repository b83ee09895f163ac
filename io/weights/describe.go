package weights

import (
	"bytes"
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// foreign are files that are mistaken for weights, or in an unsupported format.
var foreign = []struct {
	what string
	is   func(head []byte) bool
}{
	{"a compiled IREE program (.vmfb)", isProgram},
	{"a file of XLA's programs (.xla)", isProgramOfXLA},
	{"a ggml file of whisper.cpp", prefix("lmgg")},
	{"JSON text, such as a contract or an index", isJSON},
	{"an archive of NumPy arrays, .npz (safetensors.numpy.save_file(dict(numpy.load(FILE)), OUT) makes weights of it)", isArrays},
	{"a zip archive, such as a wheel or a PyTorch file", prefix("PK\x03\x04")},
	{"a NumPy array", prefix("\x93NUMPY")},
	{"an HDF5 file", prefix("\x89HDF\r\n")},
	{"a pickle", prefix("\x80\x02")},
	{"an ELF program", prefix("\x7fELF")},
}

// describe guesses what a file that begins with head is.
func describe(head []byte) string {
	if len(head) == 0 {
		return "the file is empty"
	}
	first := head[:min(len(head), 16)]
	if what := Foreign(head); what != "" {
		return fmt.Sprintf("this looks like %s, not like weights of a known format; it begins with %q", what, first)
	}
	return fmt.Sprintf("not weights of a known format; the file begins with %q", first)
}

// Foreign returns what a file that begins with head seems to be, of those that are mistaken for
// weights and models; "" if it is none of them.
func Foreign(head []byte) string {
	for _, f := range foreign {
		if f.is(head) {
			return f.what
		}
	}
	return ""
}

// isProgramOfXLA finds the first member of the zip archive that package backend/xla writes.
func isProgramOfXLA(head []byte) bool {
	const nameAt = 30 // of the local header
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && len(head) > nameAt && bytes.HasPrefix(head[nameAt:], []byte("manifest.json"))
}

// isArrays finds a zip archive whose first member is an array.
func isArrays(head []byte) bool {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) < 30 {
		return false
	}
	name := head[30:]
	return bytes.HasSuffix(name[:min(len(name), int(head[26])|int(head[27])<<8)], []byte(".npy"))
}

func prefix(p string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(p)) }
}

// isProgram finds the flatbuffer identifier of IREE's bytecode modules, alone
// or as the first member of a zip archive.
func isProgram(head []byte) bool {
	return bytes.Contains(head, []byte("module.fb")) || (len(head) >= 16 && bytes.Contains(head[4:16], []byte("IREE")))
}

func isJSON(head []byte) bool {
	t := bytes.TrimLeft(head, " \t\r\n")
	return len(t) > 0 && (t[0] == '{' || t[0] == '[')
}

// mayBeJSON reports whether a file is an object, or begins with so much white space
// that this is not known.
func mayBeJSON(head []byte) bool {
	t := bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(t, []byte("{")) || len(t) == 0 && len(head) == headBytes
}

func cannotOpen(path string, err error) error {
	return errs.Wrap(regular.CodeOpen, err, "cannot open the file").In(path).
		Hint("check the name and the permissions")
}
