package weights

import "github.com/skainet-dev/skainet-go/io/gguf"

// GGUF gives the file of a model in format gguf, else nil.
func (f *File) GGUF() *gguf.File {
	if p, ok := f.source.(pairs); ok {
		return p.File
	}
	return nil
}
