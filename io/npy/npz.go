package npy

import (
	"archive/zip"
	"io"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

// CodeArchive is the code of a file that is no archive of arrays.
const CodeArchive errs.Code = "NPZ_BAD_ARCHIVE" // smallest input: the empty file as a .npz

// The limits of an archive: the number of arrays, and their size in all. A compressed
// archive may hold a thousand times its own size.
const (
	MaxArrays  = 1 << 16
	MaxArchive = 4 << 30
)

// Array is an array of a .npz, with the name that it was saved under.
type Array struct {
	Name string
	tensor.Value
}

// ReadArchive reads all arrays of a .npz, as numpy.savez and numpy.savez_compressed write
// it, in the order of the file.
func ReadArchive(path string) ([]Array, error) {
	if err := regular.Check(path); err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, errs.Wrap(CodeArchive, err, "not a .npz").In(path).Hint("save the arrays with numpy.savez(path, name=array)")
	}
	defer z.Close()
	if len(z.File) > MaxArrays {
		return nil, errs.New(CodeArchive, "%d arrays, the limit is %d", len(z.File), MaxArrays).In(path)
	}
	var list []Array
	seen := map[string]bool{}
	left := uint64(MaxArchive)
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		switch {
		case !ok || name == "":
			return nil, errs.New(CodeArchive, "%q is not an array: its name does not end in .npy", f.Name).In(path)
		case seen[name]:
			return nil, errs.New(CodeArchive, "two arrays are named %q", name).In(path)
		case f.UncompressedSize64 > left:
			return nil, errs.New(CodeArchive, "more than %d bytes of arrays", int64(MaxArchive)).In(path).Hint("split the file")
		}
		seen[name] = true
		left -= f.UncompressedSize64
		v, err := readMember(f)
		if err != nil {
			return nil, errs.WithFile(err, path+"/"+f.Name)
		}
		list = append(list, Array{Name: name, Value: v})
	}
	return list, nil
}

func readMember(f *zip.File) (tensor.Value, error) {
	r, err := f.Open()
	if err != nil {
		return tensor.Value{}, errs.Wrap(CodeArchive, err, "cannot read the array")
	}
	defer r.Close()
	return Read(r) // r ends at the size that was counted
}

// WriteArchive writes arrays as a .npz to path, in this order and uncompressed; no partial
// file is left.
func WriteArchive(path string, list []Array) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		seen := map[string]bool{}
		for _, a := range list {
			if a.Name == "" || seen[a.Name] {
				return errs.New(CodeArchive, "two arrays are named %q, or one has no name", a.Name)
			}
			seen[a.Name] = true
			member, err := z.CreateHeader(&zip.FileHeader{Name: a.Name + ".npy"})
			if err != nil {
				return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the array %q", a.Name)
			}
			if err := Write(member, a.Value); err != nil {
				return err
			}
		}
		if err := z.Close(); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the archive")
		}
		return nil
	}), path)
}
