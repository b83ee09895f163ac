package cache

import (
	"context"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Identity returns a text that is another one after a write to one of the files: large
// ones are not read.
func Identity(files ...string) ([]byte, error) {
	var all []byte
	for _, f := range files {
		path, err := filepath.Abs(f)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		var s string
		if err == nil {
			s, err = stamp(path)
		}
		if err != nil {
			return nil, errs.Wrap(regular.CodeOpen, err, "cannot look at the file").In(f).Hint("check the path")
		}
		all = append(all, path+"\x00"+s+"\x00"...)
	}
	return all, nil
}

// maxVersion is the longest version that is kept.
const maxVersion = 1 << 10

// Version returns the version of a compiler, which runs once for that.
func (c *Cache) Version(ctx context.Context, path string) (string, error) {
	identity, err := Identity(path)
	if err != nil {
		return "", errs.Wrap(compiler.CodeFailed, err, "cannot run the compiler").In(path)
	}
	kept, err := c.Get(ctx, Entry{
		Key:  Key([]byte("compiler"), identity),
		Kind: "version",
		Check: func(path string) error {
			if st, err := os.Stat(path); err != nil || st.Size() == 0 || st.Size() > maxVersion {
				return errs.New(regular.CodeOpen, "not a version").In(path)
			}
			return nil
		},
		Make: func(to string) error {
			v, err := compiler.Version(ctx, path)
			if err != nil {
				return err
			}
			return atomicfile.WriteFile(to, []byte(v)[:min(len(v), maxVersion)])
		},
	})
	if err != nil {
		return "", err
	}
	b, err := regular.Read(kept, maxVersion)
	return string(b), err
}
