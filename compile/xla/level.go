package xla

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
)

// Level is a level of optimisation. The names are those of the levels for IREE
// (compile/iree/target).
type Level struct {
	Name string
	Doc  string
	// Flags are XLA's debug options (xla/xla.proto) by name, each a bool, an int64 or a
	// string.
	Flags map[string]any
}

// DefaultLevel is the level of a program that names none.
const DefaultLevel = "latency"

var levels = []Level{
	{Name: "latency", Doc: "XLA's own; the default", Flags: map[string]any{}},
	{Name: "size", Doc: "less code for each operation: no loop is unrolled", Flags: map[string]any{"xla_backend_optimization_level": int64(1)}},
	{Name: "debug", Doc: "no optimisation of the code, which compiles fastest", Flags: map[string]any{"xla_backend_optimization_level": int64(0)}},
	{Name: "aggressive", Doc: "reassociates and approximates: other numbers in the last digits", Flags: map[string]any{"xla_cpu_enable_fast_math": true}},
}

// CodeLevel is the code of an unknown level.
const CodeLevel errs.Code = "XLA_LEVEL" // smallest input: --target=xla_cpu --level=best

// Levels returns the levels, the default first.
func Levels() []Level { return slices.Clone(levels) }

// Compile returns the options of a compilation for one device at a level, "" for the
// default one, with the flags of Rewrites but for those in without: a serialised
// CompileOptionsProto of xla/pjrt/proto/compile_options.proto.
func Compile(level string, without ...string) ([]byte, error) {
	return CompileOn([]int64{0}, level, without...)
}

// CompileOn is Compile for the devices with these numbers: one, or those of a mesh in its order.
func CompileOn(devices []int64, level string, without ...string) ([]byte, error) {
	if level == "" {
		level = DefaultLevel
	}
	i := slices.IndexFunc(levels, func(l Level) bool { return l.Name == level })
	if i < 0 {
		var names []string
		for _, l := range levels {
			names = append(names, l.Name)
		}
		return nil, errs.New(CodeLevel, "unknown level %q", level).Hint("use one of %s", strings.Join(names, ", "))
	}
	const ( // numbers of fields
		buildOptions, overrides = 3, 7
		replicas, partitions    = 4, 5
		spmd, shardy            = 6, 19
		assignment              = 9
		key, value              = 1, 2
		text, truth, number     = 1, 2, 3
	)
	build := protowire.AppendVarint(protowire.AppendTag(nil, replicas, protowire.VarintType), 1)
	build = protowire.AppendVarint(protowire.AppendTag(build, partitions, protowire.VarintType), uint64(len(devices)))
	if len(devices) > 1 {
		build = protowire.AppendVarint(protowire.AppendTag(build, spmd, protowire.VarintType), 1)
		build = protowire.AppendVarint(protowire.AppendTag(build, shardy, protowire.VarintType), 1)
	}
	build = protowire.AppendBytes(protowire.AppendTag(build, assignment, protowire.BytesType), assigned(devices))
	out := protowire.AppendBytes(protowire.AppendTag(nil, buildOptions, protowire.BytesType), build)
	flags := maps.Clone(levels[i].Flags)
	for _, r := range rows {
		if !slices.Contains(without, r.ID) {
			maps.Copy(flags, r.Flags)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		var v []byte
		switch x := flags[name].(type) {
		case string:
			v = protowire.AppendString(protowire.AppendTag(nil, text, protowire.BytesType), x)
		case bool:
			v = protowire.AppendVarint(protowire.AppendTag(nil, truth, protowire.VarintType), protowire.EncodeBool(x))
		case int64:
			v = protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), uint64(x))
		}
		entry := protowire.AppendString(protowire.AppendTag(nil, key, protowire.BytesType), name)
		entry = protowire.AppendBytes(protowire.AppendTag(entry, value, protowire.BytesType), v)
		out = protowire.AppendBytes(protowire.AppendTag(out, overrides, protowire.BytesType), entry)
	}
	return out, nil
}

// assigned returns a DeviceAssignmentProto of xla/xla_data.proto: one replica, whose partitions
// run on these devices.
func assigned(devices []int64) []byte {
	const replicas, partitions, list, ids = 1, 2, 3, 1
	out := protowire.AppendVarint(protowire.AppendTag(nil, replicas, protowire.VarintType), 1)
	out = protowire.AppendVarint(protowire.AppendTag(out, partitions, protowire.VarintType), uint64(len(devices)))
	for _, d := range devices {
		one := protowire.AppendVarint(nil, uint64(d))
		one = protowire.AppendBytes(protowire.AppendTag(nil, ids, protowire.BytesType), one)
		out = protowire.AppendBytes(protowire.AppendTag(out, list, protowire.BytesType), one)
	}
	return out
}

// Flags returns XLA's debug options of the default level, with those of Rewrites, each as
// text: what another client of XLA compiles the same texts with.
func Flags() map[string]string {
	flags := map[string]string{}
	for _, r := range rows {
		for name, v := range r.Flags {
			flags[name] = fmt.Sprint(v)
		}
	}
	return flags
}
