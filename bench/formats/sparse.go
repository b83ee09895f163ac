package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// sparseTensors is how many tensors the file has; at 20 GB each has 2.5 GB, more
// than 31 bits count.
const sparseTensors = 8

// sparsePart packs a safetensors file that is one hole after its header. It
// takes no room itself; its archive may.
func sparsePart(ctx context.Context, b *bench) error {
	if err := room(b.folder, b.sparse+b.sparse/16); err != nil {
		return err
	}
	source, out := filepath.Join(b.folder, "sparse.safetensors"), filepath.Join(b.folder, "sparse.irpa")
	if err := writeSparse(source, b.sparse); err != nil {
		return err
	}
	spent, err := timed(ctx, b.skainet, "pack", "--weights", source, "-o", out)
	if err != nil {
		return err
	}
	if err := sameLength(out, b.sparse); err != nil {
		return err
	}
	size, err := fileSize(out)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "A safetensors file of %d bytes, a hole after its header, packed once into .irpa of %d\n", b.sparse, size)
	fmt.Fprintf(b.out, "%.1f s, %.1f of them on the processor; peak memory %.1f MiB; %d MiB of disk taken\n\n",
		spent.wall, spent.cpu, spent.peakMiB, diskMiB(out))
	for _, path := range []string{source, out} {
		if err := os.Remove(path); err != nil {
			return fileError(err)
		}
	}
	return nil
}

// writeSparse makes a file of about so many bytes of tensors.
func writeSparse(path string, bytes int64) error {
	elements := max(1, bytes/4/sparseTensors)
	var header strings.Builder
	for i := range int64(sparseTensors) {
		begin := "{"
		if i > 0 {
			begin = ","
		}
		fmt.Fprintf(&header, `%s"blk.%d":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]}`,
			begin, i, elements, i*4*elements, (i+1)*4*elements)
	}
	header.WriteString("}")
	text := header.String()
	text += strings.Repeat(" ", (8-len(text)%8)%8)
	head := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	if err := scratch(path, head); err != nil {
		return err
	}
	if err := os.Truncate(path, int64(len(head))+sparseTensors*4*elements); err != nil {
		return errs.Wrap(codeFile, err, "no sparse file")
	}
	return nil
}
