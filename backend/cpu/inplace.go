package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Updates of a few rows of a large value, such as a cache in a state
// variable, are done in place if nothing else can see it: neither a value that
// is needed later, nor, if the call fails, a later call.

// owner is who owns the memory of a value after its last use.
type owner uint8

const (
	shared       owner = iota // must not be written: something else may need it
	ownedByCall               // free to reuse: allocated in this call
	ownedByState              // the state's: overwritten parts are saved until the call has succeeded
)

// overwritten holds the parts of states that a call has overwritten.
type overwritten []struct {
	back   move
	to, by storage
}

// restore sets states back to their values before the call.
func (o overwritten) restore() {
	for _, w := range slices.Backward(o) {
		w.to.move(w.back, w.by)
	}
}

// copyAlways, for tests, makes every update a copy.
var copyAlways bool

// mine returns the owner of input i of n after n has run.
func (f *frame) mine(n *dag.Node, i int) owner {
	v := n.Inputs[i]
	o := f.owners[v]
	if o == shared || !slices.Contains(f.x.plan.last[n], v) {
		return shared
	}
	times := 0
	n.Reads(func(u *dag.Value) {
		if u == v {
			times++
		}
	})
	if times != 1 {
		return shared
	}
	return o
}

// update returns x, input 0 of n, with the box that m describes replaced by u.
func (f *frame) update(n *dag.Node, x, u array, m move) array {
	o := f.mine(n, 0)
	if o == shared || copyAlways || overlap(x.data, u.data) {
		y := x.data.fresh(x.data.len())
		y.move(move{sizes: []int{x.data.len()}, dst: []int{1}, src: []int{1}}, x.data)
		y.move(m, u.data)
		f.own(n.Outputs[0], ownedByCall)
		return array{n.Outputs[0].Type, y}
	}
	if o == ownedByState {
		back := move{sizes: m.sizes, dst: m.dst, dstAt: m.dstAt, src: strides(m.sizes)}
		size := 1
		for _, s := range m.sizes {
			size *= s
		}
		old := x.data.fresh(size)
		old.move(move{sizes: m.sizes, dst: back.src, src: m.dst, srcAt: m.dstAt}, x.data)
		*f.log = append(*f.log, struct {
			back   move
			to, by storage
		}{back, x.data, old})
	}
	x.data.move(m, u.data)
	f.own(n.Outputs[0], o)
	return array{n.Outputs[0].Type, x.data}
}

// own records the owner of v; shared values are those computed once for all calls.
func (f *frame) own(v *dag.Value, o owner) {
	if o == shared || f.x.plan == nil || f.x.plan.fixed[v] {
		delete(f.owners, v)
		return
	}
	f.owners[v] = o
}

// keepOwners records, after n has run, whether results that lie in the memory of an
// input are shared or solely owned from now on.
func (f *frame) keepOwners(n *dag.Node, in, out []array) {
	if n.Op.Role == op.Variable {
		if name := n.Attrs.String("name"); f.writes[name] && f.x.ours[name] {
			f.owners[n.Outputs[0]] = ownedByState
		}
		return
	}
	if len(f.owners) == 0 {
		return
	}
	if len(n.Blocks) > 0 { // a result may be a value of an enclosing block
		n.Reads(func(v *dag.Value) {
			if a, ok := f.env[v]; ok && f.owners[v] != shared && !slices.Contains(n.Inputs, v) && overlapsAny(a, out) {
				delete(f.owners, v)
			}
		})
	}
	if n.Op.Memory == op.Updates || n.Op.Memory == op.Inner {
		return // their kernels record the owners of the results
	}
	for i, v := range n.Inputs {
		if f.owners[v] == shared || !overlapsAny(in[i], out) {
			continue
		}
		if o := f.mine(n, i); o != shared && len(out) == 1 {
			f.owners[n.Outputs[0]] = o
			continue
		}
		delete(f.owners, v)
	}
}

func overlapsAny(a array, others []array) bool {
	return slices.ContainsFunc(others, func(o array) bool { return overlap(a.data, o.data) })
}

// sole returns the owners of the results of f when it returns.
func (f *frame) sole(values []*dag.Value, results []array) []owner {
	list := make([]owner, len(values))
	for i, v := range values {
		o := f.owners[v]
		if l := f.leases[v]; o == shared && l != nil && l.values == 1 {
			o = ownedByCall
		}
		for j, r := range results {
			if i != j && overlap(results[i].data, r.data) {
				o = shared
			}
		}
		list[i] = o
	}
	return list
}

// writable returns the states that fn writes and reads in one place only.
func writable(fn *dag.Func) map[string]bool {
	states := map[string]bool{}
	for _, w := range fn.Writes {
		states[w.State] = true
	}
	read := map[string]bool{}
	for _, n := range fn.Body.Nodes {
		if n.Op.Role == op.Variable {
			name := n.Attrs.String("name")
			states[name] = states[name] && !read[name]
			read[name] = true
		}
	}
	return states
}
