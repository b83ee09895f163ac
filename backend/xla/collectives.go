package xla

import (
	"encoding/json"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
)

// Collective is the collectives of one kind in a program: operations by which the devices of
// a mesh exchange values.
type Collective struct {
	Op     string // such as all-reduce
	InLoop bool   // whose number of rounds is not known: numbers are of one round
	Count  int64  // in a call
	Sent   int64  // bytes that each device sends in a call, where the devices are a ring
}

// sent is what each of k devices sends for an operand of n bytes, in the algorithms of
// Patarasuk and Yuan 2009 for rings.
var sent = map[string]func(n, k int64) int64{
	"all-reduce":           func(n, k int64) int64 { return 2 * n * (k - 1) / k },
	"reduce-scatter":       func(n, k int64) int64 { return n * (k - 1) / k },
	"all-gather":           func(n, k int64) int64 { return n * (k - 1) },
	"all-to-all":           func(n, k int64) int64 { return n * (k - 1) / k },
	"ragged-all-to-all":    func(n, k int64) int64 { return n * (k - 1) / k },
	"collective-permute":   func(n, _ int64) int64 { return n },
	"collective-broadcast": func(n, _ int64) int64 { return n },
}

// collectives reads them from a HloModuleProto (xla/service/hlo.proto) for so many devices.
func collectives(module []byte, devices int64) ([]Collective, error) {
	m := hloModule{computations: map[int64][]instruction{}}
	err := fields(module, func(field protowire.Number, v value) error {
		switch field {
		case 3: // computations
			return m.computation(v.bytes)
		case 6: // entry_computation_id
			m.entry = int64(v.number)
		}
		return nil
	})
	if err != nil {
		return nil, errs.Wrap(pjrt.CodeProgram, err, "the compiled program that the plugin shows is not a HloModuleProto")
	}
	found := map[string]*Collective{}
	if err := m.walk(m.entry, 1, false, nil, func(i instruction, operand, times int64, loop bool) {
		name := strings.TrimSuffix(i.opcode, "-start")
		bytes, ok := sent[name]
		if !ok {
			return
		}
		key := name
		if loop {
			key += " in a loop"
		}
		if found[key] == nil {
			found[key] = &Collective{Op: name, InLoop: loop}
		}
		group := i.group
		if group == 0 {
			group = devices
		}
		found[key].Count += times
		found[key].Sent += times * bytes(operand, group)
	}); err != nil {
		return nil, err
	}
	var out []Collective
	for _, c := range found {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Collective) int {
		if a.InLoop != b.InLoop {
			return map[bool]int{false: -1, true: 1}[a.InLoop]
		}
		return strings.Compare(a.Op, b.Op)
	})
	return out, nil
}

// hloModule is what is read of a module.
type hloModule struct {
	computations map[int64][]instruction
	entry        int64
}

type instruction struct {
	opcode   string
	id       int64
	operands []int64
	calls    []int64
	size     int64 // bytes of the result
	group    int64 // devices that take part together; 0 means all
	rounds   int64 // of a loop; 0 means unknown
}

func (m *hloModule) computation(b []byte) error {
	var id int64
	var list []instruction
	err := fields(b, func(field protowire.Number, v value) error {
		switch field {
		case 2: // instructions
			i, err := instructionOf(v.bytes)
			list = append(list, i)
			return err
		case 5: // id
			id = int64(v.number)
		}
		return nil
	})
	m.computations[id] = list
	return err
}

func instructionOf(b []byte) (i instruction, err error) {
	err = fields(b, func(field protowire.Number, v value) error {
		switch field {
		case 2:
			i.opcode = string(v.bytes)
		case 3:
			n, err := sizeOf(v.bytes)
			i.size = n
			return err
		case 35:
			i.id = int64(v.number)
		case 36:
			return numbers(v, &i.operands)
		case 38:
			return numbers(v, &i.calls)
		case 43: // backend_config
			var c struct {
				Trips struct {
					N int64 `json:"n,string"`
				} `json:"known_trip_count"`
			}
			if json.Unmarshal(v.bytes, &c) == nil { // others have other contents
				i.rounds = c.Trips.N
			}
		case 49, 87, 93: // groups as lists of devices, as numbers, and by axes
			n, err := groupOf(field, v.bytes)
			i.group = max(i.group, n)
			return err
		}
		return nil
	})
	return i, err
}

// walk visits the instructions that a run of a computation executes.
func (m *hloModule) walk(id, times int64, loop bool, around []int64, visit func(i instruction, operand, times int64, loop bool)) error {
	list, ok := m.computations[id]
	if !ok || slices.Contains(around, id) {
		return errs.New(pjrt.CodeProgram, "the compiled program that the plugin shows has no computation %d", id)
	}
	around = append(around, id)
	sizes := map[int64]int64{}
	for _, i := range list {
		sizes[i.id] = i.size
	}
	for _, i := range list {
		var operand int64
		for _, id := range i.operands {
			operand += sizes[id]
		}
		visit(i, operand, times, loop)
		rounds, inner := int64(1), loop
		if i.opcode == "while" {
			if rounds, inner = i.rounds, loop || i.rounds == 0; rounds == 0 {
				rounds = 1
			}
		}
		for _, callee := range i.calls {
			if err := m.walk(callee, times*rounds, inner, around, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupOf returns the number of devices of a group.
func groupOf(field protowire.Number, b []byte) (n int64, err error) {
	switch field {
	case 49: // one group of a list: replica_ids
		err = fields(b, func(field protowire.Number, v value) error {
			var ids []int64
			err := numbers(v, &ids)
			n += int64(len(ids))
			return err
		})
	case 87: // CollectiveDeviceListProto: replica_groups, or iota_replica_group_list
		err = fields(b, func(field protowire.Number, v value) error {
			if field == 1 {
				one, err := groupOf(49, v.bytes)
				n = max(n, one)
				return err
			}
			return fields(v.bytes, func(field protowire.Number, v value) error {
				if field == 2 { // num_devices_per_group
					n = int64(v.number)
				}
				return nil
			})
		})
	case 93: // a mesh, and the axes of it that a group is along
		n = 1
		var sizes []int64
		err = fields(b, func(field protowire.Number, v value) error {
			var axis, size int64
			inner := func(part protowire.Number, v value) error {
				switch {
				case field == 1 && part == 1: // an axis: name, size
					return fields(v.bytes, func(of protowire.Number, v value) error {
						if of == 2 {
							sizes = append(sizes, int64(v.number))
						}
						return nil
					})
				case field == 2 && part == 1:
					axis = int64(v.number)
				case field == 2 && part == 2: // a part of an axis: pre_size, size
					return fields(v.bytes, func(of protowire.Number, v value) error {
						if of == 2 {
							size = int64(v.number)
						}
						return nil
					})
				}
				return nil
			}
			if err := fields(v.bytes, inner); err != nil || field != 2 {
				return err
			}
			if size == 0 && axis >= 0 && axis < int64(len(sizes)) {
				size = sizes[axis]
			}
			n *= max(size, 1)
			return nil
		})
	}
	return n, err
}

// widths are the bits of XLA's element types (xla/xla_data.proto).
var widths = map[uint64]int64{
	1: 8, 2: 8, 3: 16, 4: 32, 5: 64, 6: 8, 7: 16, 8: 32, 9: 64, 10: 16, 11: 32, 12: 64, 15: 64, 16: 16, 18: 128, 19: 8, 20: 8, 21: 4, 22: 4,
}

// sizeOf returns the bytes of a ShapeProto.
func sizeOf(b []byte) (int64, error) {
	var element uint64
	var dims []int64
	var inner int64
	err := fields(b, func(field protowire.Number, v value) error {
		switch field {
		case 2:
			element = v.number
		case 3:
			return numbers(v, &dims)
		case 4: // of a tuple
			n, err := sizeOf(v.bytes)
			inner += n
			return err
		}
		return nil
	})
	n := widths[element]
	for _, d := range dims {
		n *= d
	}
	return n/8 + inner, err
}

// value is a field of a message.
type value struct {
	number uint64
	bytes  []byte
	packed bool
}

// fields visits the fields of a message.
func fields(b []byte, visit func(field protowire.Number, v value) error) error {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		var v value
		switch kind {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			v.packed = true
			v.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(field, kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if err := visit(field, v); err != nil {
			return err
		}
	}
	return nil
}

// numbers appends those of a repeated field.
func numbers(v value, to *[]int64) error {
	if !v.packed {
		*to = append(*to, int64(v.number))
		return nil
	}
	for b := v.bytes; len(b) > 0; {
		x, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		*to, b = append(*to, int64(x)), b[n:]
	}
	return nil
}
