package fromonnx

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// Limits on what a remedy looks at and names.
const (
	mostTraced  = 64      // values behind a number
	mostOffered = 4       // tensors
	mostNames   = 1 << 16 // with which a wrong one is compared
)

// remedy says what to do about an error on a node of the model's own graph, if nothing but
// a size to give has been said: to cut the model at the number that decides a size, or to end it before the node.
func (e *env) remedy(err *errs.Error, n *onnx.Node) {
	if e != e.root || err.Do != "" && e.decides[err] == nil {
		return
	}
	if leaf := e.decides[err]; leaf != nil {
		delete(e.decides, err)
		var ways []string
		if names := e.decisive(n); len(names) > 0 {
			ways = append(ways, "cut the model at the number that decides it: --cut "+strings.Join(names, ","))
		}
		if label := e.labels[leaf]; label != "" && (leaf.Type.DType.IsInt() || slices.Contains(n.Inputs, label)) {
			ways = append(ways, "give the input its value: --fix "+label+"=...")
		}
		if err.Do != "" {
			ways = append(ways, err.Do)
		}
		if err.Do = strings.Join(ways, "; or "); err.Do != "" {
			return
		}
	}
	e.before(err, n)
}

// before says how to end the model before a node.
func (e *env) before(err *errs.Error, n *onnx.Node) {
	var names []string
	for _, name := range n.Inputs {
		if v := e.values[name]; v != nil && e.makers[name] != nil && !e.settled(v) && !slices.Contains(names, name) && len(names) < mostOffered {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		err.Do = "no node that a program can compute comes before this one: do its work outside of the program, and export the model without it"
		return
	}
	err.Do = "end the program before this node, and do its work outside: --outputs " + strings.Join(names, ",")
}

// settled reports whether all elements of a value are known, or are arithmetic on sizes.
func (e *env) settled(v *dag.Value) bool {
	if _, ok := e.have(v, false); ok {
		return true
	}
	list := e.numbers(v)
	return list != nil && !slices.ContainsFunc(list, func(x number) bool { return !x.known })
}

// decisive returns the single integers of the file, made by nodes, from which the sizes
// that a node needs follow.
func (e *env) decisive(n *onnx.Node) []string {
	var found []string
	seen := map[string]bool{}
	var visit func(n *onnx.Node)
	visit = func(n *onnx.Node) {
		for _, name := range n.Inputs {
			v, maker := e.values[name], e.makers[name]
			if v == nil || maker == nil || seen[name] || len(seen) >= mostTraced || !v.Type.DType.IsInt() || e.settled(v) {
				continue
			}
			seen[name] = true
			switch {
			case length(v) && len(found) < mostOffered:
				found = append(found, name)
			case v.Type.Shape.Rank() <= 1:
				visit(maker)
			}
		}
	}
	visit(n)
	return found
}

// located names the node of the file from which a node of the graph comes, which is given by
// its path.
func (s *session) located(err *errs.Error, path string) *errs.Error {
	for p := path; p != ""; p = p[:max(0, strings.LastIndexByte(p, '/'))] {
		n := s.sources[p]
		if n == nil {
			continue
		}
		err.On(nameOf(n))
		if n.At > 0 {
			err.At(n.At)
		}
		if len(n.Outputs) > 0 && s.root.makers[n.Outputs[0]] == n {
			s.root.remedy(err, n)
		}
		return err
	}
	return err.On(path)
}

// noTensor is the error for a name in an option that is no tensor of the model.
func (i *importer) noTensor(option, name string, all map[string]bool) error {
	err := unmapped("%s names the tensor %q, which no node makes", option, name)
	type near struct {
		name     string
		distance int
	}
	limit := max(1, len(name)/3)
	var found []near
	looked := 0
	for have := range all {
		if looked++; looked > mostNames || len(have) > len(name)+limit || len(have)+limit < len(name) || len(name) > errs.MaxQuoted {
			continue
		}
		if d := levenshtein.ComputeDistance(name, have); d <= limit {
			found = append(found, near{have, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	if len(found) == 0 {
		return err.Hint("the model's outputs are %s", strings.Join(outputsOf(&i.model.Graph), ", "))
	}
	var names []string
	for _, x := range found[:min(len(found), mostOffered)] {
		names = append(names, x.name)
	}
	return err.Hint("similar names are %s", strings.Join(names, ", "))
}

// tensors checks that the options name tensors of the model.
func (i *importer) tensors() error {
	if len(i.Outputs)+len(i.Cut) == 0 {
		return nil
	}
	all := map[string]bool{}
	g := &i.model.Graph
	for k := range g.Inputs {
		all[g.Inputs[k].Name] = true
	}
	for k := range g.Initializers {
		all[g.Initializers[k].Name] = true
	}
	for k := range g.Nodes {
		for _, o := range g.Nodes[k].Outputs {
			if o != "" {
				all[o] = true
			}
		}
	}
	for _, option := range []struct {
		name   string
		values []string
	}{{"--outputs", i.Outputs}, {"--cut", i.Cut}} {
		for _, name := range option.values {
			if !all[name] {
				return i.noTensor(option.name, name, all)
			}
		}
	}
	return nil
}

// missing is the error for an output that is no tensor.
func (e *env) missing(name string) error {
	n := e.makers[name]
	if n == nil {
		return unmapped("the output %q, which no node makes", name).On(name).Hint("the file is damaged, or its writer is at fault: export the model again, or name other tensors (--outputs)")
	}
	err := unmapped("the output %q of the node is not a tensor: programs return tensors", name)
	if e.lists[name] != nil && !e.lists[name].absent {
		err = unmapped("the output %q of the node is a sequence: programs return tensors", name)
	}
	err.On(nameOf(n))
	if n.At > 0 {
		err.At(n.At)
	}
	e.remedy(err, n)
	return err
}
