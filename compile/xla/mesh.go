package xla

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
)

// meshName is the symbol of the mesh in a text.
const meshName = "@mesh"

// onMesh makes a form write the shardings of a mesh, in Shardy's dialect (sdy). Arguments and
// results of the entry point all have one, so that each device's part is known before XLA
// compiles the text; what is between follows from them and from the operations shard.
func onMesh(f *hlo.Form, m *dag.Mesh) {
	f.Header = append(f.Header, fmt.Sprintf("mhlo.num_partitions = %d : i32", m.Devices()), "mhlo.num_replicas = 1 : i32")
	f.Globals = append(f.Globals, func(p *hlo.Printer, _ *hlo.Module) error {
		axes := make([]string, len(m.Axes))
		for i, a := range m.Axes {
			axes[i] = fmt.Sprintf("%q=%d", a.Name, a.Size)
		}
		p.Line("sdy.mesh %s = <[%s]>", meshName, strings.Join(axes, ", "))
		return nil
	})
	f.Attributes = func(of hlo.Place) []string {
		return []string{"sdy.sharding = #sdy.sharding<" + spelled(shardingOf(m, of), of.Type.Shape.Rank()) + ">"}
	}
	f.Split = func(p *hlo.Printer, n *dag.Node, v hlo.Value) hlo.Value {
		s := dag.ParseSharding(n.Attrs.String("axes"))
		return p.Def(v.Type, "sdy.sharding_constraint %s <%s> : %s", v.Name, spelled(s, len(s)), p.Type(v.Type))
	}
}

// shardingOf returns how an argument or a result is split.
func shardingOf(m *dag.Mesh, of hlo.Place) dag.Sharding {
	switch of.Kind {
	case hlo.OwnArgument:
		return m.Arguments[dag.PortName(of.Entry, of.Name)]
	case hlo.OwnResult:
		return m.Results[dag.PortName(of.Entry, of.Name)]
	case hlo.StatePlace:
		return m.States[of.Name]
	default:
		return m.Parameter(of.Name, of.Type.Shape.Rank())
	}
}

// spelled writes a sharding of so many dimensions, all of them closed: the compiler splits no
// more of them.
func spelled(s dag.Sharding, rank int) string {
	dims := make([]string, rank)
	for i := range dims {
		dims[i] = "{}"
		if i < len(s) && s[i] != "" {
			dims[i] = "{" + strconv.Quote(s[i]) + "}"
		}
	}
	return meshName + ", [" + strings.Join(dims, ", ") + "]"
}
