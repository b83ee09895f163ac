package xla

import (
	"context"
	"encoding/binary"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Buckets are ranges of the sizes of named dimensions. The calls of a range run one program, which
// is compiled for the largest size of it: arguments are padded to that, the program gets the
// sizes of the call and leaves out the padding, and results are cut. The zero value is none:
// each size has a program of its own.
type Buckets struct {
	// Most are the largest sizes of each range, by name. A size larger than all has a program of
	// its own. An entry point that has no program for ranges is an error, HLO_BUCKET.
	Most map[string][]int64 `json:"most,omitempty"`
	// Powers gives names that are not in Most ranges that end at powers of two. An entry point
	// that has no program for ranges has them for sizes.
	Powers bool `json:"powers,omitempty"`
}

// AutoBuckets is the text of ParseBuckets for powers of two.
const AutoBuckets = "auto"

// ParseBuckets reads texts as "seq=16,64,256", of different names, and AutoBuckets.
func ParseBuckets(texts ...string) (Buckets, error) {
	var b Buckets
	for _, text := range texts {
		if err := b.Set(text); err != nil {
			return Buckets{}, err
		}
	}
	return b, nil
}

// Set adds ranges, of a text as in ParseBuckets. With String and Type it makes a flag of b.
func (b *Buckets) Set(text string) error {
	if text == AutoBuckets {
		b.Powers = true
		return nil
	}
	bad := errs.New(CodeSizes, "%q gives no buckets", text).Hint("write NAME=SIZE,SIZE,..., once for a name, or %s", AutoBuckets)
	name, list, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" || b.Most[name] != nil {
		return bad
	}
	var most []int64
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || n < 1 || n > math.MaxInt32 {
			return bad
		}
		most = append(most, n)
	}
	if b.Most == nil {
		b.Most = map[string][]int64{}
	}
	b.Most[name] = most
	return nil
}

// String writes the ranges as ParseBuckets reads them, with spaces between.
func (b *Buckets) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b.Most)) {
		var list []string
		for _, n := range b.Most[name] {
			list = append(list, strconv.FormatInt(n, 10))
		}
		parts = append(parts, name+"="+strings.Join(list, ","))
	}
	if b.Powers {
		parts = append(parts, AutoBuckets)
	}
	return strings.Join(parts, " ")
}

// Type is the name of a value in help texts.
func (*Buckets) Type() string { return "NAME=N,..." }

// BucketsHelp says what a flag of Buckets does.
const BucketsHelp = "sizes, `NAME=N,N,...`, up to which XLA compiles one program for all smaller ones, or auto for powers of two; may be repeated"

// IsZero reports whether there are no ranges.
func (b Buckets) IsZero() bool { return len(b.Most) == 0 && !b.Powers }

// Has reports whether a name has ranges.
func (b Buckets) Has(name string) bool { return b.Powers || b.Most[name] != nil }

// checked returns b with its sizes sorted.
func (b Buckets) checked(c *contract.Contract) (Buckets, error) {
	names := map[string]bool{}
	for i := range c.Entries {
		for name := range dynamicSizes(&c.Entries[i]) {
			maps.Copy(names, told(name))
		}
	}
	out := Buckets{Most: map[string][]int64{}, Powers: b.Powers}
	for _, name := range slices.Sorted(maps.Keys(b.Most)) {
		list := slices.Compact(slices.Sorted(slices.Values(b.Most[name])))
		switch {
		case !names[name]:
			return b, errs.New(CodeSizes, "no entry point has a dynamic size %q", name).Hint("there are %q", slices.Sorted(maps.Keys(names)))
		case len(list) == 0 || list[0] < 1 || list[len(list)-1] > math.MaxInt32:
			return b, errs.New(CodeSizes, "the buckets of %q are %v", name, b.Most[name]).Hint("give sizes from 1 to 2^31-1")
		}
		out.Most[name] = list
	}
	return out, nil
}

// told returns the names in a size.
func told(size string) map[string]bool {
	out := map[string]bool{}
	for _, name := range shape.Named(size).Names() {
		out[name] = true
	}
	return out
}

// ranges splits the sizes of a call: exact ones, and the largest of those that are in a range. A
// range of one size is exact.
func (b Buckets) ranges(sizes map[string]int64) (exact, most map[string]int64) {
	exact, most = map[string]int64{}, map[string]int64{}
	for name, n := range sizes {
		list, largest := b.Most[name], int64(1)
		if i, _ := slices.BinarySearch(list, n); i < len(list) {
			largest = list[i]
		} else if list == nil && b.Powers && n <= 1<<30 {
			largest = int64(1) << bits.Len64(uint64(n-1))
		}
		if largest > 1 {
			most[name] = largest
		} else {
			exact[name] = n
		}
	}
	return exact, most
}

// bucket is what a program for ranges takes and gives.
type bucket struct {
	sizes         []string // whose sizes are arguments
	largest       map[string]int64
	args, results []tensor.Type
}

// bucketOf returns the bucket of a text.
func bucketOf(entry *contract.Entry, names []string, largest map[string]int64) (*bucket, error) {
	b := &bucket{sizes: names, largest: largest}
	for _, a := range entry.Args {
		t := a.Type()
		var err error
		if t.Shape, err = t.Shape.Bind(largest); err != nil {
			return nil, err
		}
		b.args = append(b.args, t)
	}
	var err error
	b.results, err = backend.Results(entry, largest)
	return b, err
}

// emit writes the text for the sizes of a call, and says what it is for: nil is these sizes alone.
func (c *compiled) emit(entry *contract.Entry, sizes map[string]int64) (*hlo.Module, *bucket, error) {
	o := xlatext.Options{Without: c.o.Without}
	exact, most := c.ranges(entry, sizes)
	if len(most) > 0 {
		m, err := xlatext.EmitBucket(c.graph, entry.Name, exact, most, o)
		if err == nil {
			largest := maps.Clone(exact)
			maps.Copy(largest, most)
			b, err := bucketOf(entry, m.Sizes, largest)
			return m.Module, b, err
		}
		for name := range most {
			if c.o.Buckets.Most[name] != nil {
				return nil, nil, err
			}
		}
		c.unfit[entry.Name] = true
		if c.o.Unfit != nil {
			c.o.Unfit(entry.Name, err)
		}
	}
	m, err := xlatext.Emit(c.graph, entry.Name, sizes, o)
	return m, nil, err
}

// ranges is that of Buckets, for an entry point that may have been found to have none.
func (c *compiled) ranges(entry *contract.Entry, sizes map[string]int64) (exact, most map[string]int64) {
	if c.unfit[entry.Name] || c.o.Buckets.IsZero() {
		return sizes, nil
	}
	return c.o.Buckets.ranges(sizes)
}

// startBuckets compiles the programs of all ranges of entry points whose sizes all have them.
func (c *compiled) startBuckets(ctx context.Context, e *engine) error {
	for i := range e.contract.Entries {
		entry := &e.contract.Entries[i]
		names := map[string]bool{}
		for name := range dynamicSizes(entry) {
			maps.Copy(names, told(name))
		}
		all := []map[string]int64{{}}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			var more []map[string]int64
			for _, sizes := range all {
				for _, n := range c.o.Buckets.Most[name] {
					with := maps.Clone(sizes)
					with[name] = n
					more = append(more, with)
				}
			}
			all = more
		}
		if len(names) == 0 {
			continue
		}
		for _, sizes := range all {
			p, err := e.find(ctx, entry, sizes)
			if err != nil {
				return err
			}
			p.stays = true
		}
	}
	return nil
}

// pad returns an argument of the size that the program takes.
func (b *bucket) pad(i int, v tensor.Value) (tensor.Value, error) {
	if b == nil || b.args[i].Equal(v.Type) {
		return v, nil
	}
	out, err := tensor.Zero(b.args[i])
	if err != nil {
		return v, err
	}
	if filling != 0 && out.Type.DType != dtype.Bool {
		for i := range out.Bytes {
			out.Bytes[i] = filling
		}
	}
	first(out.Type, v.Type).runs(func(whole, at, n int64) { copy(out.Bytes[whole:whole+n], v.Bytes[at:at+n]) })
	return out, nil
}

// filling is what padding holds. Tests have other numbers.
var filling byte

// first is where a smaller value lies in a larger one.
func first(whole, part tensor.Type) piece {
	return pieceOf(whole, part, make([]int64, part.Shape.Rank()))
}

// given returns the arguments that are the sizes of a call.
func (b *bucket) given(sizes map[string]int64) []tensor.Value {
	if b == nil {
		return nil
	}
	out := make([]tensor.Value, len(b.sizes))
	for i, name := range b.sizes {
		out[i] = tensor.Value{Type: tensor.TypeOf(dtype.I32), Bytes: binary.LittleEndian.AppendUint32(nil, uint32(sizes[name]))}
	}
	return out
}

// cut reads a result, into the caller's memory where that fits.
func (e *engine) cut(b *bucket, from spread, want tensor.Type, i int, into []tensor.Value) (tensor.Value, error) {
	whole, err := e.read(from, nil, b.results[i], i, nil)
	if err != nil || want.Equal(whole.Type) {
		return whole, err
	}
	var out tensor.Value
	if i < len(into) && into[i].Type.Equal(want) && into[i].Check() == nil {
		out = into[i]
	} else if out, err = tensor.Zero(want); err != nil {
		return tensor.Value{}, err
	}
	first(whole.Type, want).runs(func(at, own, n int64) { copy(out.Bytes[own:own+n], whole.Bytes[at:at+n]) })
	return out, nil
}

// exactly returns an error for a file of compiled programs, which has sizes alone.
func (b Buckets) exactly(path string) error {
	if b.IsZero() {
		return nil
	}
	return errs.New(CodeSizes, "a file of compiled programs has no buckets").In(path).
		Hint("give them where a model file or a portable one is opened, or compile for sizes")
}
