package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/compile/hlo/judge"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
)

// xlaTexts returns the texts for XLA of a model's graph; its dynamic sizes are three.
func xlaTexts(name, path string) ([]text, error) {
	g, err := graphjson.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for _, f := range g.Funcs {
		for _, v := range f.Body.Args {
			for _, d := range v.Type.Shape {
				for _, name := range d.Names() { // of sizes such as n+4 too
					sizes[name] = 3
				}
			}
		}
	}
	to, err := compile.To("xla_cpu", "")
	if err != nil {
		return nil, err
	}
	name = strings.TrimSuffix(name, ".graph.json")
	var texts []text
	add := func(g *dag.Graph, where string) error {
		all, err := to.Texts(g, compile.Options{Sizes: []map[string]int64{sizes}})
		for _, t := range all {
			texts = append(texts, text{name: name + ", " + t.Entry + where, data: func() ([]byte, error) { return t.Text, nil }})
		}
		return errs.WithFile(err, path)
	}
	if err := add(g, " for XLA"); err != nil {
		return nil, err
	}
	if g.Mesh.Spans() { // its texts are for a mesh already
		return texts, nil
	}
	l, err := halves(g)
	if err != nil {
		return nil, err
	}
	onTwo, err := shard.Apply(g, append(own(g), dag.Axis{Name: "rows", Size: 2}), l)
	switch {
	case errs.CodeOf(err) == shard.CodeUnused: // no weight has an even number of rows
		return texts, nil
	case err != nil:
		return nil, errs.WithFile(err, path)
	}
	return texts, add(onTwo, " for XLA on two devices")
}

// own returns the axes that a model itself splits values along, of one device each.
func own(g *dag.Graph) (axes []dag.Axis) {
	names := map[string]bool{}
	note := func(s dag.Sharding) {
		for _, name := range s {
			names[name] = true
		}
	}
	if m := g.Mesh; m != nil {
		for _, all := range []map[string]dag.Sharding{m.Parameters, m.States, m.Arguments, m.Results} {
			for _, s := range all {
				note(s)
			}
		}
	}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.ID == id.Shard {
				note(dag.ParseSharding(n.Attrs.String("axes")))
			}
		})
	}
	delete(names, "") // of a dimension that is whole
	for _, name := range slices.Sorted(maps.Keys(names)) {
		axes = append(axes, dag.Axis{Name: name, Size: 1})
	}
	return axes
}

// halves has each of two devices keep half of the rows of every weight: what the text says of
// it is Shardy's, and the numbers are the same however values are split.
func halves(g *dag.Graph) (l shard.Layout, err error) {
	params, err := g.Params()
	for _, p := range params {
		if rank := p.Type.Shape.Rank(); rank > 0 {
			axes := make(dag.Sharding, rank)
			axes[0] = "rows"
			l.Parameters = append(l.Parameters, shard.Rule{Names: p.Key, Axes: axes})
		}
	}
	return l, err
}

// report judges texts and counts verdicts.
type report struct {
	judge  *judge.Judge
	out    io.Writer
	limit  time.Duration
	count  map[string]int
	faults int
}

func (r *report) say(name, verdict, more string) {
	if r.count == nil {
		r.count = map[string]int{}
	}
	r.count[verdict]++
	fmt.Fprintf(r.out, "%-8s %s%s\n", verdict, name, more)
}

func (r *report) counts() string {
	var parts []string
	for _, verdict := range slices.Sorted(maps.Keys(r.count)) {
		parts = append(parts, fmt.Sprintf("%d %s", r.count[verdict], verdict))
	}
	return strings.Join(parts, ", ")
}

// wanted is what a text of tests has next to each of its faults.
var wanted = regexp.MustCompile(`// want \d+ [A-Z]+_`)

// Limits of what the interpreter, which is slow, is given.
const (
	maxText     = 64 << 10
	maxElements = 1 << 16
)

// text judges one text.
func (r *report) text(ctx context.Context, python string, t text) error {
	if t.fault != "" {
		r.faults++
		r.say(t.name, "FAULT", ": "+t.fault)
		return nil
	}
	if t.data == nil {
		r.say(t.name, "unbuilt", ": its target has the tag manual and does not build")
		return nil
	}
	data, err := t.data()
	if err != nil {
		return errs.Wrap(codeBuild, err, "the text cannot be read").In(t.name)
	}
	plain, stands, other := judge.Plain(data)
	if other != "" {
		r.say(t.name, "iree", ": "+other+" is IREE's, whose compiler judges it")
		return nil
	}
	v, refused := r.judge.Check(plain)
	if on := errs.CodeOf(refused); refused != nil && on != judge.CodeRefused && on != judge.CodeEnded {
		return refused
	}
	switch faulty := wanted.Match(data); {
	case refused != nil && faulty:
		r.say(t.name, "refused", ", as its comments want")
	case faulty:
		r.faults++
		r.say(t.name, "FAULT", ": jaxlib takes a text that has faults on purpose")
	case refused != nil:
		r.faults++
		r.say(t.name, "FAULT", ": "+refused.Error())
	default:
		return r.taken(ctx, python, t, plain, stands, v)
	}
	return nil
}

// taken reports a text that jaxlib takes, and what the interpreter runs of it.
func (r *report) taken(ctx context.Context, python string, t text, plain []byte, stands int, v judge.Verdict) error {
	more := ""
	if stands > 0 {
		more = fmt.Sprintf(", with %d stand-ins for what IREE's texts have around StableHLO", stands)
	} else if len(plain) <= maxText {
		ran, err := r.interpret(ctx, python, plain, v.Functions)
		if err != nil {
			return err
		}
		more = ran
	}
	r.say(t.name, "ok", more)
	return nil
}

// interpret calls what the interpreter can of a text.
func (r *report) interpret(ctx context.Context, python string, plain []byte, names []string) (string, error) {
	if elements(plain) > maxElements || bytes.Contains(plain, []byte("?")) {
		return "", nil
	}
	within, end := context.WithTimeout(ctx, r.limit)
	defer end()
	own, err := judge.Start(within, python)
	if err != nil {
		return "", err
	}
	defer own.Close()
	v, err := own.Check(plain, names...)
	if err != nil && within.Err() == nil {
		return "", err
	}
	if len(v.Ran) == 0 {
		return "", nil
	}
	return fmt.Sprintf(", ran %s", strings.Join(slices.Sorted(maps.Keys(v.Ran)), ", ")), nil
}

var shapes = regexp.MustCompile(`tensor<((?:\d+x)+)`)

// elements returns the number of those of the largest tensor of a text.
func elements(text []byte) int {
	most := 1
	for _, m := range shapes.FindAllSubmatch(text, -1) {
		n := 1
		for _, size := range strings.Split(strings.TrimSuffix(string(m[1]), "x"), "x") {
			var s int
			if _, err := fmt.Sscan(size, &s); err != nil || s > maxElements {
				return maxElements + 1
			}
			if n *= max(s, 1); n > maxElements {
				return n
			}
		}
		most = max(most, n)
	}
	return most
}
