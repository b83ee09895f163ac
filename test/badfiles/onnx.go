package badfiles

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
	. "github.com/skainet-dev/skainet-go/test/onnxtest" //nolint:staticcheck // a language for messages
)

// Numbers of fields of ONNX's messages.
const (
	modelGraph     = 7
	graphNode      = 1
	graphStored    = 5
	graphInput     = 11
	graphOutput    = 12
	nodeAttribute  = 5
	attributeGraph = 6
)

// onnxHead is everything before the graph.
func onnxHead() []byte {
	return Message(Field(1, int64(9)), Field(2, "badfiles"), Field(8, Field(2, int64(18))))
}

// onnxModel is a model whose graph has these fields.
func onnxModel(graph ...[]byte) []byte {
	return Message(onnxHead(), Field(modelGraph, Message(graph...)))
}

// onnxParts are the fields of the good file's graph: y = Neg(x) + w + c.
func onnxParts() [][]byte {
	constant := Message(Field(1, "value"), Field(5, Tensor("", 1, make([]byte, 8), 2)), Field(20, int64(4)))
	return [][]byte{
		Field(graphNode, Node("Constant", "c", nil, constant)),
		Field(graphNode, Node("Neg", "n", []string{"x"})),
		Field(graphNode, Node("Sum", "y", []string{"n", "w", "v", "c"})),
		Field(2, "g"),
		Field(graphStored, Tensor("w", 1, make([]byte, 8), 2)),
		Field(graphStored, Message(Field(1, int64(1)), Field(2, int64(1)), Field(4, make([]byte, 4)), Field(8, "v"))),
		Field(graphInput, onnxValue("x", Field(2, "batch"), Field(1, int64(2)))),
		Field(graphOutput, onnxValue("y")),
	}
}

// onnxValue is a value of type f32 with these dimensions.
func onnxValue(name string, dims ...[]byte) []byte {
	shape := []byte{}
	for _, d := range dims {
		shape = append(shape, Field(1, d)...)
	}
	return Message(Field(1, name), Field(2, Field(1, Message(Field(1, int64(1)), Field(2, shape)))))
}

// ONNXGood is a well-formed model, the base of the bad ones.
func ONNXGood() []byte { return onnxModel(onnxParts()...) }

// onnxCases gathers cases; a part's offset is where it lies in the file.
type onnxCases struct{ list []Case }

func (c *onnxCases) at(name string, data []byte, code string, offset int) {
	c.list = append(c.list, Case{name, data, errs.Code("ONNX_" + code), int64(offset)})
}

// part adds a case whose fault lies at the first byte of a part of the file.
func (c *onnxCases) part(name string, data []byte, code string, part []byte) {
	c.at(name, data, code, bytes.Index(data, part))
}

// with adds a case of the good model with more fields of the graph, the fault of which
// lies at a part of them.
func (c *onnxCases) with(name, code string, part []byte, fields ...[]byte) {
	c.part(name, onnxModel(append(onnxParts(), fields...)...), code, part)
}

// ONNX is the corpus of malformed models.
func ONNX() []Case {
	c := new(onnxCases)
	c.borders()
	c.wires()
	c.names()
	c.nodes()
	c.many()
	c.tensors()
	c.external()
	return c.list
}

// borders cuts the good file at the borders of its parts and in them.
func (c *onnxCases) borders() {
	good, head := ONNXGood(), len(onnxHead())
	cut := func(name string, at int, code string, offset int) { c.at(name, good[:at:at], code, offset) }
	cut("border_head", head, "NO_GRAPH", 0)
	cut("border_graph_tag", head+1, "TRUNCATED", head+1)
	cut("border_graph_length", head+3, "TRUNCATED", head+1)
	at := head + 3
	for i, name := range []string{"constant", "neg", "sum", "name", "stored", "typed", "input"} {
		at += len(onnxParts()[i])
		cut("border_"+name, at, "TRUNCATED", head+1)
	}
	cut("border_last_byte", len(good)-1, "TRUNCATED", head+1)
	cut("file_in_producer", 6, "TRUNCATED", 3)
	cut("file_in_version", 1, "TRUNCATED", 1)
	cut("file_empty", 0, "NO_GRAPH", 0)
}

// wires are fields that protobuf's rules, or the schema, do not allow.
func (c *onnxCases) wires() {
	head := onnxHead()
	c.at("wire_zero_tag", Message(head, []byte{0}), "WIRE", len(head))
	c.at("wire_group", Message(head, []byte{0x3b}), "WIRE", len(head)+1)
	c.at("wire_type_7", Message(head, []byte{0x3f, 0}), "WIRE", len(head)+1)
	c.at("wire_number_2_29", Message(head, binary.AppendUvarint(nil, 1<<32|2)), "WIRE", len(head))
	c.at("wire_long_varint", Message(head, []byte{0x28}, bytes.Repeat([]byte{0xff}, 11)), "WIRE", len(head)+1)
	c.at("wire_graph_number", Message(head, Field(modelGraph, int64(3))), "WIRE", len(head))
	c.at("wire_graph_twice", Message(ONNXGood(), Field(modelGraph, "")), "WIRE", len(ONNXGood()))
	c.at("wire_version_text", Message(Field(2, "x"), Field(1, "nine")), "WIRE", 3)
	node := Message(Field(1, "x"), Field(2, int64(7)), Field(4, "Neg"))
	c.with("wire_output_number", "WIRE", Field(2, int64(7)), Field(graphNode, node))
	tensor := Message(Field(9, uint32(7)))
	c.with("wire_raw_data_fixed", "WIRE", tensor, Field(graphStored, tensor))
	c.with("wire_floats_number", "WIRE", Field(4, int64(77)), Field(graphStored, Message(Field(2, int64(1)), Field(4, int64(77)))))
	lie := []byte{graphNode<<3 | 2, 0x7f, 0x0a, 1, 'q'}
	c.at("length_over_graph", Message(head, Field(modelGraph, lie), Field(5, int64(1))), "BAD_LENGTH", len(head)+3)
	c.at("length_over_file", Message(head, []byte{modelGraph<<3 | 2}, binary.AppendUvarint(nil, 1<<40), []byte{1}), "TRUNCATED", len(head)+1)
	c.at("length_max", Message(head, []byte{modelGraph<<3 | 2}, bytes.Repeat([]byte{0xff}, 9), []byte{1}), "TRUNCATED", len(head)+1)
}

// names are texts, and values that have names.
func (c *onnxCases) names() {
	long := strings.Repeat("n", 4097)
	c.with("name_long", "LIMIT", []byte(long), Field(graphNode, Node("Neg", long, []string{"x"})))
	c.with("name_not_utf8", "BAD_NAME", []byte("n\xff"), Field(graphNode, Node("Neg", "n\xff", []string{"x"})))
	nul := onnxValue("n\x00")
	c.with("name_nul", "BAD_NAME", nul, Field(graphInput, nul))
	empty := Tensor("", 2, []byte{7}, 1)
	c.with("name_empty", "BAD_NAME", empty, Field(graphStored, empty))
	twice := Tensor("w", 2, []byte{7}, 1)
	c.with("name_stored_twice", "DUPLICATE_NAME", twice, Field(graphStored, twice))
	input := onnxValue("x", Field(2, "other"))
	c.with("name_input_twice", "DUPLICATE_NAME", input, Field(graphInput, input))
	node := Node("Abs", "n", []string{"x"})
	c.with("name_made_twice", "DUPLICATE_NAME", node, Field(graphNode, node))
	over := Node("Abs", "w", []string{"x"})
	c.with("name_made_and_stored", "DUPLICATE_NAME", over, Field(graphNode, over))
	attributes := Node("Abs", "a", []string{"x"}, Message(Field(1, "k"), Field(3, int64(1))), Message(Field(1, "k"), Field(3, int64(2))))
	c.with("name_attribute_twice", "DUPLICATE_NAME", attributes, Field(graphNode, attributes))
}

// nodes are graphs that cannot be computed.
func (c *onnxCases) nodes() {
	bare := Message(Field(1, "x"), Field(2, "a"))
	c.with("node_no_operator", "BAD_NODE", bare, Field(graphNode, bare))
	self := Node("Abs", "a", []string{"a"})
	c.with("node_circle_to_itself", "ORDER", self, Field(graphNode, self))
	first, second := Node("Abs", "a", []string{"b"}), Node("Abs", "b", []string{"a"})
	c.with("node_circle", "ORDER", first, Field(graphNode, first), Field(graphNode, second))
	inner := Message(Field(1, "then_branch"), Field(attributeGraph, Field(graphNode, Node("Abs", "i", []string{"a"}))))
	around := Node("If", "a", []string{"x"}, inner)
	c.with("node_circle_by_branch", "ORDER", Node("Abs", "i", []string{"a"}), Field(graphNode, around))
	lost := Node("Abs", "a", []string{"nothing"})
	c.with("node_undefined", "UNDEFINED_VALUE", lost, Field(graphNode, lost))
	output := onnxValue("nothing")
	c.with("node_undefined_output", "UNDEFINED_VALUE", output, Field(graphOutput, output))
	branch := Message(Field(1, "then_branch"), Field(attributeGraph, Field(graphNode, lost)))
	c.with("node_undefined_in_branch", "UNDEFINED_VALUE", lost, Field(graphNode, Node("If", "a", []string{"x"}, branch)))
	function := Field(25, Message(Field(1, "f"), Field(4, "i"), Field(7, lost)))
	c.part("node_undefined_in_function", Message(ONNXGood(), function), "UNDEFINED_VALUE", lost)
	outputs := Message(Field(1, "f"), Field(4, "i"), Field(5, "o"))
	c.part("node_undefined_output_of_function", Message(ONNXGood(), Field(25, outputs)), "UNDEFINED_VALUE", outputs)
	far := onnxValue("far", Field(1, int64(1<<62)), Field(1, int64(1<<62)))
	c.with("shape_product_2_124", "BAD_SHAPE", far, Field(graphInput, far))
	one := onnxValue("one", Field(1, int64(1<<62)))
	c.with("shape_size_2_62", "BAD_SHAPE", one, Field(graphInput, one))
	ranks := onnxValue("ranks", slices.Repeat([][]byte{Field(1, int64(1))}, 65)...)
	c.with("shape_rank_65", "LIMIT", ranks, Field(graphInput, ranks))
}

// many are graphs of too much.
func (c *onnxCases) many() {
	node := Field(graphNode, Field(4, "A"))
	head := len(onnxHead())
	graph := bytes.Repeat(node, 1_000_000)
	length := len(protowire.AppendVarint(nil, uint64(len(graph))))
	c.at("many_million_nodes", onnxModel(graph), "LIMIT", head+1+length+len(node)<<18+2)
	data, headers := deep(10_000, func(level int) protowire.Number {
		return []protowire.Number{graphNode, nodeAttribute, attributeGraph}[level%3]
	})
	c.at("many_graphs_inside", Message(onnxHead(), data), "WIRE", head+sum(headers[:101]))
	types, headers := deep(10_000, func(level int) protowire.Number {
		return []protowire.Number{4, 1}[level%2] // a sequence, and the type of its elements
	})
	types = types[headers[0]:] // in place of the graph's own header
	value := Message(Field(2, types))
	outer := onnxModel(Field(graphInput, value))
	c.at("many_types_inside", outer, "WIRE", bytes.Index(outer, types)+sum(headers[1:99]))
}

// deep nests messages, the outermost of which is a graph; number gives the field of each
// level in the one around it. It returns the lengths of the headers too, from the outside.
func deep(levels int, number func(level int) protowire.Number) (data []byte, headers []int) {
	var texts [][]byte
	size := 0
	for level := levels - 1; level >= 0; level-- {
		n := protowire.Number(modelGraph)
		if level > 0 {
			n = number(level - 1)
		}
		header := protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.BytesType), uint64(size))
		size += len(header)
		texts = append(texts, header)
	}
	for _, t := range slices.Backward(texts) {
		data, headers = append(data, t...), append(headers, len(t))
	}
	return data, headers
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
