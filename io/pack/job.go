package pack

import (
	"io"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/shards"
	"github.com/skainet-dev/skainet-go/io/internal/warn"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Report lists what was packed.
type Report struct {
	Files      []string    `json:"files"` // the archives
	Parameters []Parameter `json:"parameters"`
	// Dropped are the settings, other names and types of a whole weight file for
	// which an archive has no place.
	Dropped []string `json:"dropped,omitempty"`
	// Stale are files next to the archives that are named like shards of them but
	// are not: leftovers of an earlier run.
	Stale []string `json:"stale,omitempty"`
}

// Parameter is a row of a report.
type Parameter struct {
	Key       string            `json:"key"`
	Source    contract.Source   `json:"source"`
	From      transform.Storage `json:"from"` // of the weight file or the constant
	To        transform.Storage `json:"to"`   // of the archive
	Transform transform.Kind    `json:"transform"`
	Exact     bool              `json:"exact"`              // no value changed
	Overflow  int64             `json:"overflow,omitempty"` // finite values that became infinite
	Bytes     int64             `json:"bytes"`              // in the archive
}

// Lossy lists the parameters whose values may have changed.
func (r *Report) Lossy() []Parameter {
	var list []Parameter
	for _, p := range r.Parameters {
		if !p.Exact {
			list = append(list, p)
		}
	}
	return list
}

// job is an archive that is planned.
type job struct {
	o       Options
	items   []irpa.Item
	report  Report
	changed map[int]*transform.Buffer // by the number of the parameter
	total   int64
	done    int64
}

func (j *job) transform(w *weights.File) transform.Options {
	return transform.Options{Workers: j.o.Workers, AllowOverflow: j.o.AllowOverflow, File: w.Path()}
}

// tensor plans an entry from a tensor of w, which is called name there.
func (j *job) tensor(t *transform.Transform, source contract.Source, w *weights.File, name string) error {
	buffer, err := w.Tensor(name)
	if err != nil {
		return err
	}
	p := Parameter{Source: source, From: transform.StorageOf(t.From), Transform: t.Kind, Exact: t.Exact}
	if t.Kind == transform.Copy { // whose reader may be one that the system copies
		return j.add(t.To, p, buffer.Reader)
	}
	if j.changed == nil {
		j.changed = map[int]*transform.Buffer{}
	}
	changed := t.Buffer(buffer)
	j.changed[len(j.items)] = changed
	return j.add(t.To, p, changed.Reader)
}

// add plans the entry of a tensor that is stored as to.
func (j *job) add(to tensor.Spec, p Parameter, open func() (io.Reader, error)) error {
	item := irpa.Item{Name: to.Name, Length: to.Bytes, Open: open}
	if to.Shape.Rank() <= irpa.MaxRank {
		var err error
		if item.Metadata, err = irpa.Describe(to); err != nil {
			return err
		}
	}
	p.Key, p.To, p.Bytes = to.Name, transform.StorageOf(to), to.Bytes
	j.item(item, p)
	return nil
}

func (j *job) item(item irpa.Item, p Parameter) {
	if open := item.Open; open != nil && j.o.Progress != nil {
		item.Open = func() (io.Reader, error) {
			j.o.Progress(j.done, j.total, item.Name)
			j.done += item.Length
			return open()
		}
	}
	j.total += item.Length
	j.items = append(j.items, item)
	j.report.Parameters = append(j.report.Parameters, p)
}

func (j *job) files(out string) ([]atomicfile.File, error) {
	switch {
	case j.o.Shards > 0:
		return irpa.OutputsOf(out, j.items, j.o.Shards, j.o.MaxShardSize)
	case j.o.MaxShardSize > 0:
		return irpa.Outputs(out, j.items, j.o.MaxShardSize)
	}
	return []atomicfile.File{irpa.Output(out, j.items)}, nil
}

// write writes the archive, or the shards, and completes the report.
func (j *job) write(out string) (*Report, error) {
	files, err := j.files(out)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].NoSync = j.o.NoSync
		j.report.Files = append(j.report.Files, files[i].Path)
	}
	if err := atomicfile.WriteAll(files...); err != nil {
		return nil, err
	}
	j.report.Stale = shards.Stale(j.report.Files...)
	for i, b := range j.changed {
		j.report.Parameters[i].Overflow = b.Overflow()
	}
	if j.o.Progress != nil {
		j.o.Progress(j.total, j.total, "")
	}
	return &j.report, nil
}

// Warnings says in a line each what was lost and left behind.
func (r *Report) Warnings() []string {
	var l warn.Loss
	for _, p := range r.Lossy() {
		l.Add(p.Key, p.From.String(), p.To.String(), p.Overflow)
	}
	return slices.Concat(l.Lines("parameters", len(r.Parameters)), warn.Dropped(r.Dropped), warn.Stale(r.Stale))
}
