package onnx

import (
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// own is the first number of the fields that this package adds to ONNX's messages.
const own = 1000

// layout is what a walk knows of a message.
type layout struct {
	name   string
	fields [32]*field // by number; ONNX's own numbers are smaller
	places bool       // it has the field "at", for which the walk writes where the message lies
}

// field is a field of a message that is read.
type field struct {
	name     string
	wire     protowire.Type // of one element
	repeated bool
	text     bool // UTF-8
	free     bool // text of any length
	data     bool // of a tensor's elements, which are not copied
	message  *layout
}

func (l *layout) field(n protowire.Number) *field {
	if n > 0 && int(n) < len(l.fields) {
		return l.fields[n]
	}
	return nil
}

// packable reports whether the elements of a field may follow each other in one field of
// bytes.
func (f *field) packable() bool { return f.repeated && f.wire != protowire.BytesType }

// layouts gives the layouts by the names of messages, from the generated schema.
var layouts = sync.OnceValue(func() map[protoreflect.FullName]*layout {
	all := map[protoreflect.FullName]*layout{}
	var add func(list protoreflect.MessageDescriptors)
	add = func(list protoreflect.MessageDescriptors) {
		for i := range list.Len() {
			m := list.Get(i)
			layoutOf(all, m)
			add(m.Messages())
		}
	}
	add(schema.File_io_onnx_schema_onnx_proto.Messages())
	return all
})

// layoutOf makes the layout of m and of the messages in it, once.
func layoutOf(all map[protoreflect.FullName]*layout, m protoreflect.MessageDescriptor) *layout {
	if l := all[m.FullName()]; l != nil {
		return l
	}
	l := &layout{name: string(m.Name())}
	all[m.FullName()] = l
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		if f.Number() >= own {
			l.places = l.places || f.Name() == "at"
			continue
		}
		to := &field{name: string(f.Name()), wire: wireOf(f.Kind()), repeated: f.IsList(), text: f.Kind() == protoreflect.StringKind}
		to.free = to.name == "doc_string" || to.name == "value"
		to.data = l.name == "TensorProto" && dataFields[f.Number()] != ""
		if f.Kind() == protoreflect.MessageKind {
			to.message = layoutOf(all, f.Message())
		}
		l.fields[f.Number()] = to
	}
	return l
}

func wireOf(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

func layoutFor(m protoreflect.ProtoMessage) *layout {
	return layouts()[m.ProtoReflect().Descriptor().FullName()]
}
