package pjrt

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// A build is identified by its length and by a piece of each of its parts: a plugin has
// hundreds of megabytes, and a change of any function moves addresses in all of them.
const (
	partLength  = 1 << 20
	pieceLength = 1 << 16
)

// Build returns a digest that tells builds of plugins apart: serialised programs are for
// one build. The file is read at the first call.
func (p *Plugin) Build() (string, error) { return p.build() }

// buildOf returns Build for the file at a path, once.
func buildOf(path string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		f, err := os.Open(path)
		if err != nil {
			return "", errs.Wrap(CodePlugin, err, "the plugin cannot be read").In(path)
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil {
			return "", errs.Wrap(CodePlugin, err, "the plugin cannot be read").In(path)
		}
		h := sha256.New()
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(st.Size())))
		for at := int64(0); at < st.Size(); at += partLength {
			if _, err := io.Copy(h, io.NewSectionReader(f, at, pieceLength)); err != nil {
				return "", errs.Wrap(CodePlugin, err, "the plugin cannot be read").In(path).At(at)
			}
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	})
}
