package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Operators whose attributes or constant inputs make a table.
var tableRules = map[string]rule{
	"MelWeightMatrix": func(n *node) []*dag.Value {
		bands, length, rate := n.whole(0), n.whole(1), n.whole(2)
		table, rows, ok := melTable(bands, length, rate, n.number(3), n.number(4))
		if !ok {
			n.refuse("mel bands outside the spectrum")
		}
		return one(n.convert(n.reals(dtype.F32, table, rows, bands), n.dtypeOf(n.int("output_datatype", 1))))
	},
	"TfIdfVectorizer": (*node).ngrams,
}

// melTable returns triangles [length/2 + 1, bands] at equal distances of the mel scale, as
// ONNX's reference rounds them to bins.
func melTable(bands, length, rate int64, low, high float64) (table []float64, rows int64, ok bool) {
	if bands < 1 || length < 1 || rate < 1 || bands > most/(length/2+1) || !(low >= 0) || !(high >= low) {
		return nil, 0, false
	}
	mel := func(hertz float64) float64 { return 2595 * math.Log10(1+hertz/700) }
	rows = length/2 + 1
	step := (mel(high) - mel(low)) / float64(bands+2)
	bins := make([]int64, bands+2)
	for i := range bins {
		hertz := 700 * (math.Pow(10, (float64(i)*step+mel(low))/2595) - 1)
		bins[i] = int64(math.Floor(float64(length+1) * hertz / float64(rate)))
		if bins[i] < 0 || bins[i] >= rows {
			return nil, 0, false
		}
	}
	table = make([]float64, rows*bands)
	for b := range bands {
		left, middle, right := bins[b], bins[b+1], bins[b+2]
		for i := left; i <= middle && left < middle; i++ {
			table[i*bands+b] = float64(i-left) / float64(middle-left)
		}
		if left == middle {
			table[middle*bands+b] = 1
		}
		for i := middle; i < right; i++ {
			table[i*bands+b] = float64(right-i) / float64(right-middle)
		}
	}
	return table, rows, true
}

// ngrams counts n-grams of whole numbers in rows [C] or [B, C], whose elements may be
// some places apart.
func (n *node) ngrams() []*dag.Value {
	x, ints := n.in(0), func(name string) []int64 { return n.Attributes[name].Ints }
	pool, starts, columns := ints("pool_int64s"), ints("ngram_counts"), ints("ngram_indexes")
	if len(pool) == 0 {
		n.refuse(text)
	}
	flat := rank(x) == 1
	if flat {
		x = n.reshapeTo(x, shape.N(1), dims(x)[0])
	}
	width := extent(x, 1)
	least, longest, apart := n.int("min_gram_length", 1), n.int("max_gram_length", 1), n.int("max_skip_count", 0)
	size := slices.Max(append(slices.Clone(columns), -1)) + 1
	var counts []*dag.Value // [B, number of n-grams] of one length
	var places []int64      // their columns
	next := 0
	for i, start := range starts {
		end, k := int64(len(pool)), int64(i+1)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if start < 0 || end < start || end > int64(len(pool)) {
			n.refuse("n-grams outside their list")
		}
		grams := (end - start) / k
		if next+int(grams) > len(columns) {
			n.refuse("n-grams without a column")
		}
		mine := columns[next:][:grams]
		next += int(grams)
		if grams == 0 || k < least || k > longest {
			continue
		}
		n.bounded(grams, width)
		steps := apart + 1
		if k == 1 {
			steps = 1 // the distance makes no difference
		}
		sum := n.splatTo(dtype.F32, 0, dims(x)[0], shape.N(grams))
		for step := int64(1); step <= steps && (k-1)*step < width; step++ {
			sum = n.binary("add", sum, n.hits(x, pool[start:end], k, step))
		}
		counts, places = append(counts, sum), append(places, mine...)
	}
	y := n.splatTo(dtype.F32, 0, dims(x)[0], shape.N(size))
	if len(counts) > 0 {
		all := n.add("concatenate", op.Attrs{"dim": int64(1)}, counts...)
		own := n.convert(n.compare(op.EQ, n.reshape(n.list(places), int64(len(places)), 1), n.iota(dtype.I64, 0, size)), dtype.F32)
		y = n.product(all, own)
	}
	mode := n.str("mode", "")
	if mode == "IDF" {
		y = n.convert(n.compare(op.GT, y, n.splat(y, 0)), dtype.F32)
	}
	if w := n.floatList("weights"); len(w) > 0 && mode != "TF" {
		if int64(len(w)) != size {
			n.refuse("%d weights for %d columns", len(w), size)
		}
		y = n.binary("multiply", y, n.reals(dtype.F32, w, size))
	}
	if flat {
		y = n.reshape(y, size)
	}
	return one(y)
}

// hits counts for each n-gram of k numbers how often it is in the rows of x [B, C], with
// so many places from one number to the next.
func (n *node) hits(x *dag.Value, grams []int64, k, step int64) *dag.Value {
	count := int64(len(grams)) / k
	length := extent(x, 1) - (k-1)*step
	var found *dag.Value
	for j := range k {
		row := n.window(x, 1, j*step, j*step+length, 1)
		row = n.reshapeTo(n.convert(row, dtype.I64), dims(x)[0], shape.N(length), shape.N(1))
		var list []int64
		for g := range count {
			list = append(list, grams[g*k+j])
		}
		hit := n.compare(op.EQ, row, n.list(list))
		if found == nil {
			found = hit
		} else {
			found = n.binary("and", found, hit)
		}
	}
	return n.add("reduce_sum", op.Attrs{"dims": []int64{1}}, n.convert(found, dtype.F32))
}
