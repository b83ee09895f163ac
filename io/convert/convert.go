package convert

import (
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/shards"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// job is a conversion that is planned.
type job struct {
	w       *weights.File
	index   *tensor.Index
	o       Options
	outputs []output
	report  *Report
	done    int64
	total   int64
}

// output is a tensor to write.
type output struct {
	t    *transform.Transform
	data tensor.Buffer // what Buffer gives, or the file's own for a copy
}

// Convert writes the tensors and settings of w to out in another format. The
// output, or all files of it, is whole or absent.
func Convert(out, format string, w *weights.File, o Options) (*Report, error) {
	target, err := find(format)
	if err != nil {
		return nil, err
	}
	if o.MaxShardSize < 0 {
		return nil, errs.New(CodeOption, "shards of %d bytes", o.MaxShardSize).Hint("give a size above 0")
	}
	j := &job{w: w, o: o, report: &Report{}}
	if j.index, err = w.Index(); err != nil {
		return nil, err
	}
	if err := j.plan(target.keeps); err != nil {
		return nil, err
	}
	if j.report.Files, err = target.write(j, out); err != nil {
		return nil, err
	}
	j.report.Stale = shards.Stale(j.report.Files...)
	for i, p := range j.outputs {
		if b, ok := p.data.(*transform.Buffer); ok {
			j.report.Tensors[i].Overflow = b.Overflow()
		}
	}
	if o.Progress != nil {
		o.Progress(j.total, j.total, "")
	}
	return j.report, nil
}

// plan chooses a conversion for each tensor; the target keeps some unchanged.
func (j *job) plan(keeps func(tensor.Spec) bool) error {
	specs, storage, err := choose(j.index.Tensors, j.o, j.w.Path(), keeps)
	if err != nil {
		return err
	}
	how := transform.Options{Workers: j.o.Workers, AllowOverflow: j.o.AllowOverflow, File: j.w.Path()}
	for i, s := range specs {
		t, err := transform.New(s, storage[i], how)
		if err != nil {
			return err
		}
		b, err := j.w.Tensor(s.Name)
		if err != nil {
			return err
		}
		if t.Kind != transform.Copy {
			b = t.Buffer(b)
		}
		j.total += t.To.Bytes
		j.outputs = append(j.outputs, output{t, b})
		j.report.Tensors = append(j.report.Tensors, Tensor{
			Name: s.Name, From: transform.StorageOf(s), To: transform.StorageOf(t.To), Transform: t.Kind, Exact: t.Exact, Bytes: t.To.Bytes,
		})
	}
	return nil
}

// changed reports whether any tensor is stored in another way than before.
func (j *job) changed() bool {
	for _, p := range j.outputs {
		if p.t.Kind != transform.Copy {
			return true
		}
	}
	return false
}

func (j *job) drop(what string) { j.report.Dropped = append(j.report.Dropped, what) }

// dropAliases reports the aliases, which only CTranslate2 can store.
func (j *job) dropAliases() {
	for _, name := range sorted(j.index.Aliases) {
		j.drop(name + " (another name of " + j.index.Aliases[name] + ")")
	}
}

// noPlace returns the error for a tensor that the target format cannot hold.
func (j *job) noPlace(s tensor.Spec, format, do string) error {
	return errs.New(CodeNoPlace, "%s has no place for %s, which would be stored as %s", format, s.Type(), transform.StorageOf(s)).
		In(j.w.Path()).On(s.Name).Hint("%s", do)
}

// started reports progress when a tensor is started.
func (j *job) started(p output) {
	if j.o.Progress != nil {
		j.o.Progress(j.done, j.total, p.t.To.Name)
		j.done += p.t.To.Bytes
	}
}

// open returns a function that starts reading a tensor.
func (j *job) open(p output) func() (io.Reader, error) {
	return func() (io.Reader, error) {
		j.started(p)
		return p.data.Reader()
	}
}

// watched is a buffer that tells when it is read. A window of a file stays one.
func (j *job) watched(p output) tensor.Buffer {
	w := watched{p.data, func() { j.started(p) }}
	if r, ok := p.data.(filemap.Ranger); ok {
		return watchedRange{w, r}
	}
	return w
}

type watched struct {
	tensor.Buffer
	start func()
}

func (w watched) Reader() (io.Reader, error) {
	w.start()
	return w.Buffer.Reader()
}

type watchedRange struct {
	watched
	ranger filemap.Ranger
}

func (w watchedRange) FileRange() (f *os.File, offset, n int64, release func(), err error) {
	w.start()
	return w.ranger.FileRange()
}
