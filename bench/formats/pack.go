package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// copier makes a file of another.
type copier struct {
	name   string
	synced bool // whether the output is written back within the time
	run    func(ctx context.Context, from, to string) (cost, error)
}

func (b *bench) copiers() []copier {
	cp := func(ctx context.Context, from, to string) (cost, error) { return timed(ctx, "cp", from, to) }
	return []copier{
		{"skainet pack", true, func(ctx context.Context, from, to string) (cost, error) {
			return timed(ctx, b.skainet, "pack", "--weights", from, "-o", to)
		}},
		{"pack --no-sync", false, func(ctx context.Context, from, to string) (cost, error) {
			return timed(ctx, b.skainet, "pack", "--no-sync", "--weights", from, "-o", to)
		}},
		{"cp", false, cp},
		{"cp, fsync", true, func(ctx context.Context, from, to string) (cost, error) {
			c, err := cp(ctx, from, to)
			if err != nil {
				return c, err
			}
			begun := time.Now()
			err = sync(to)
			c.wall += time.Since(begun).Seconds()
			return c, err
		}},
	}
}

// packPart packs the model into an archive, beside copies of it. skainet writes
// its output back before renaming it into place, unless told not to; cp alone does
// not.
func packPart(ctx context.Context, b *bench) error {
	source, err := b.modelCopy()
	if err != nil {
		return err
	}
	size, err := fileSize(source)
	if err != nil {
		return err
	}
	if err := room(b.folder, 2*size); err != nil {
		return err
	}
	t := &table{
		title: fmt.Sprintf("Seconds to pack %d bytes of GGUF into .irpa, and to copy them", size),
		unit:  "s", against: "cp", ratio: "cp's time : its",
	}
	caches := []struct {
		name    string
		prepare func(string) error
	}{{"warm", warm}, {"cold", cold}}
	for i := range b.rounds + 1 {
		b.round(i)
		for _, cache := range caches {
			for _, c := range b.copiers() {
				if err := cache.prepare(source); err != nil {
					return err
				}
				out := filepath.Join(b.folder, "out.irpa")
				spent, err := c.run(ctx, source, out)
				if err != nil {
					return err
				}
				if i == 0 {
					if err := sameLength(out, size); err != nil {
						return err
					}
				} else {
					t.add(cache.name, c.name, spent.wall)
				}
				if err := remove(out); err != nil {
					return err
				}
			}
		}
	}
	if err := os.Remove(source); err != nil {
		return fileError(err)
	}
	t.note("warm: after a read of the source; cold: after its pages were dropped. Outputs are removed, and their pages, after each turn.")
	t.note("skainet pack writes its output back (fsync) before it has its name, as cp, fsync does; pack --no-sync and cp do not.")
	return t.print(b.out)
}

// modelCopy returns a copy of the model in the folder, so that source and output
// are on one file system.
func (b *bench) modelCopy() (string, error) {
	from, err := b.modelPath()
	if err != nil {
		return "", err
	}
	to := filepath.Join(b.folder, "model.gguf")
	return to, with(from, os.O_RDONLY, func(f *os.File) error {
		out, err := os.Create(to)
		if err != nil {
			return err
		}
		defer out.Close()
		if _, err := io.Copy(out, f); err != nil {
			return err
		}
		return out.Close()
	})
}

func fileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fileError(err)
	}
	return info.Size(), nil
}

// sameLength checks that an output is not much shorter than its source: an
// archive lacks the metadata, 7 MB of the model, and has some of its own.
func sameLength(path string, size int64) error {
	got, err := fileSize(path)
	if err != nil {
		return err
	}
	if got < size*9/10 {
		return errs.New(harness.CodeResult, "it wrote %d bytes of %d", got, size).In(path)
	}
	return nil
}
