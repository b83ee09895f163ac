package dag

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Mesh arranges devices along named axes, and says how values are split over them. It
// changes no number: a backend for one device ignores it. Without axes it is a note for the
// mesh that somebody gives the graph later.
//
// Devices are numbered in row-major order of the axes: the last one varies fastest.
type Mesh struct {
	Axes []Axis `json:"axes"`
	// Parameters are the shardings of parameters by key, States those of state variables by
	// name, and Arguments and Results those of entry points by PortName. What is in none of
	// them is whole on each device.
	Parameters map[string]Sharding `json:"parameters,omitempty"`
	States     map[string]Sharding `json:"states,omitempty"`
	Arguments  map[string]Sharding `json:"arguments,omitempty"`
	Results    map[string]Sharding `json:"results,omitempty"`
}

// Axis is an axis of a mesh: Size devices.
type Axis struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Sharding is, for each dimension of a value, the axis whose devices each have an equal part
// of it; "" for a dimension that is whole on each.
type Sharding []string

// MaxDevices is the largest number of devices of a mesh.
const MaxDevices = 4096

// Codes of meshes.
const (
	CodeMesh     errs.Code = "DAG_MESH"     // smallest input: an axis of size 0
	CodeSharding errs.Code = "DAG_SHARDING" // smallest input: a dimension of 3 over an axis of 2
)

// PortName names an argument or a result of an entry point in a Mesh.
func PortName(entry, name string) string { return entry + "." + name }

// Devices returns the number of devices, 1 for a graph without a mesh.
func (m *Mesh) Devices() int64 {
	n := int64(1)
	if m != nil {
		for _, a := range m.Axes {
			n *= a.Size
		}
	}
	return n
}

// Spans reports whether the mesh has more than one device.
func (m *Mesh) Spans() bool { return m.Devices() > 1 }

// Parameter returns how a parameter is split as it is stored, with so many dimensions: one in
// blocks has one more than the weight, the bytes of a block, which is whole.
func (m *Mesh) Parameter(key string, rank int) Sharding {
	s := m.Parameters[key]
	if s != nil && len(s) == rank-1 {
		s = append(slices.Clone(s), "")
	}
	return s
}

// Entry returns the mesh of a graph that has an entry point under another name.
func (m *Mesh) Entry(name, renamed string) *Mesh {
	if m == nil {
		return nil
	}
	out := *m
	out.Arguments, out.Results = renamedPorts(m.Arguments, name, renamed), renamedPorts(m.Results, name, renamed)
	return &out
}

func renamedPorts(ports map[string]Sharding, from, to string) map[string]Sharding {
	out := map[string]Sharding{}
	for port, s := range ports {
		if rest, ok := strings.CutPrefix(port, PortName(from, "")); ok {
			out[PortName(to, rest)] = s
		}
	}
	return out
}

// IsWhole reports whether each device has the whole value.
func (s Sharding) IsWhole() bool {
	return !slices.ContainsFunc(s, func(axis string) bool { return axis != "" })
}

// String returns "model,", the form of the attribute of the operation shard.
func (s Sharding) String() string { return strings.Join(s, ",") }

// ParseSharding parses String.
func ParseSharding(text string) Sharding { return strings.Split(text, ",") }

// size returns the number of devices along an axis; "" has one.
func (m *Mesh) size(axis string) (int64, bool) {
	if axis == "" {
		return 1, true
	}
	for _, a := range m.Axes {
		if a.Name == axis {
			return a.Size, true
		}
	}
	return 0, false
}

// Part returns the type of each device's part of a value; sizes must be static.
func (m *Mesh) Part(t tensor.Type, s Sharding) tensor.Type {
	out := tensor.Type{DType: t.DType, Shape: slices.Clone(t.Shape)}
	for i, axis := range s {
		n, _ := m.size(axis)
		out.Shape[i].Size /= n
	}
	return out
}

// Index returns the number of a device's part along each dimension that s splits, 0 along
// the others.
func (m *Mesh) Index(device int64, s Sharding) []int64 {
	at := map[string]int64{}
	for _, a := range slices.Backward(m.Axes) {
		at[a.Name] = device % a.Size
		device /= a.Size
	}
	out := make([]int64, len(s))
	for i, axis := range s {
		out[i] = at[axis]
	}
	return out
}

// Check returns an error if the axes are no mesh, on the graph of that name.
func (m *Mesh) Check(name string) error {
	seen := map[string]bool{}
	devices := int64(1)
	for _, a := range m.Axes {
		if !identifier.MatchString(a.Name) || seen[a.Name] {
			return errs.New(CodeMesh, "the axis %q of the mesh is not an identifier, or a duplicate", a.Name).On(name).Hint(identifierHint)
		}
		seen[a.Name] = true
		if a.Size < 1 || a.Size > MaxDevices/devices {
			return errs.New(CodeMesh, "the axis %q of the mesh has %d devices", a.Name, a.Size).On(name).Hint("a mesh has 1 to %d devices in all", MaxDevices)
		}
		devices *= a.Size
	}
	return nil
}

// Fits returns an error if s does not split a value of a type. A size that only a call
// knows fits if some size does; axes are those of the mesh, if it has any.
func (m *Mesh) Fits(t tensor.Type, s Sharding) error {
	if len(s) != t.Shape.Rank() {
		return errs.New(CodeSharding, "%d axes for %s", len(s), t).Hint("name an axis for each dimension, %q for one that is whole", "")
	}
	for i, axis := range s {
		if axis == "" {
			continue
		}
		if slices.Contains(s[:i], axis) {
			return errs.New(CodeSharding, "the axis %q splits two dimensions of %s", axis, t).Hint("an axis splits one dimension of a value")
		}
		if len(m.Axes) == 0 {
			continue
		}
		n, known := m.size(axis)
		if !known {
			var names []string
			for _, a := range m.Axes {
				names = append(names, a.Name)
			}
			return errs.New(CodeSharding, "the mesh has no axis %q", axis).Hint("its axes are %s", strings.Join(names, ", "))
		}
		if d := t.Shape[i]; d.IsStatic() && d.Size%n != 0 {
			return errs.New(CodeSharding, "dimension %d of %s is not divisible by the %d devices of the axis %q", i, t, n, axis).
				Hint("leave it whole, or choose another mesh")
		}
	}
	return nil
}
