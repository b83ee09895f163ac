package onnx

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// Sniff reports whether a file that begins with head looks like ONNX. A message has no
// magic: it begins with the version of the representation, as every writer of protobuf
// puts the fields in order, and what follows are fields of a ModelProto as far as head
// reaches, one of which its writer or its content must be.
func Sniff(head []byte) bool {
	const newest = 1 << 10 // versions are counted from 1 and are at 14
	number, wire, n := protowire.ConsumeTag(head)
	if n < 0 || number != 1 || wire != protowire.VarintType {
		return false
	}
	head = head[n:]
	version, n := protowire.ConsumeVarint(head)
	if n < 0 || version == 0 || version > newest {
		return false
	}
	head = head[n:]
	known, found := layoutFor((*schema.ModelProto)(nil)), false
	for len(head) > 0 {
		tag, n := protowire.ConsumeVarint(head)
		if n < 0 {
			return found
		}
		number, wire := protowire.DecodeTag(tag)
		f := known.field(number)
		if f == nil && !newer[number] || f != nil && f.wire != wire {
			return false
		}
		found = found || wire == protowire.BytesType
		size := protowire.ConsumeFieldValue(number, wire, head[n:])
		if size < 0 { // it goes on behind the head
			return found
		}
		head = head[n+size:]
	}
	return found
}

// newer are fields of a ModelProto that are not read: training and devices.
var newer = map[protowire.Number]bool{20: true, 26: true}
