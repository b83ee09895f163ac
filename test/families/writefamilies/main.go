// Command writefamilies writes the files of package families into a folder: all, for
// record.py, or those that are named, each with a .npz of what llama.cpp computed for it.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: writefamilies FOLDER [NAME...]")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(folder string, names []string) error {
	all := slices.Concat(families.All(), families.More(), families.Encoders())
	for _, name := range names {
		if !slices.ContainsFunc(all, func(f families.Family) bool { return f.Name == name }) {
			return fmt.Errorf("no family has the name %q", name)
		}
	}
	for _, f := range all {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		data, err := f.Encode()
		if err != nil {
			return err
		}
		path := filepath.Join(folder, f.Name)
		if err := atomicfile.WriteAll(atomicfile.Bytes(path+".gguf", data)); err != nil {
			return err
		}
		if len(names) == 0 {
			continue
		}
		sum := sha256.Sum256(data)
		if err := record(path+".npz", f.Name, hex.EncodeToString(sum[:])); err != nil {
			return err
		}
	}
	return nil
}

// record writes the calls of a decoder with llama.cpp's results: of the whole text at once,
// of the prompt, and of each token behind it.
func record(path, name, digest string) error {
	r, err := families.Recorded()
	if err != nil {
		return err
	}
	c := r.Cases[name]
	if c.SHA256 != digest {
		return fmt.Errorf("%s: its file is not the one that llama.cpp ran", name)
	}
	if c.Logits == nil {
		return fmt.Errorf("%s: it is no decoder, so there are no logits", name)
	}
	var list []npy.Array
	call := 0
	add := func(name string, v tensor.Value, bad error) {
		if err == nil {
			err = bad
		}
		list = append(list, npy.Array{Name: name + "#" + strconv.Itoa(call), Value: v})
	}
	logits := func(rows ...[]float32) {
		v, bad := tensor.Of(slices.Concat(rows...), int64(len(rows)), int64(len(rows[0])))
		add("logits", v, bad)
	}
	tokens := func(name string, ids ...int32) {
		v, bad := tensor.Of(ids, int64(len(ids)))
		add(name, v, bad)
	}
	tokens("tokens", slices.Concat(r.Prompt, r.Rest)...)
	logits(c.Logits...)
	call++
	tokens("tokens", r.Prompt...)
	start, bad := tensor.Of([]int32{0})
	add("start", start, bad)
	logits(c.Logits[len(r.Prompt)-1])
	for i, id := range r.Rest {
		call++
		tokens("token", id)
		logits(c.Logits[len(r.Prompt)+i])
	}
	if err != nil {
		return err
	}
	return npy.WriteArchive(path, list)
}
