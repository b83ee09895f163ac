package fromonnx

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// CodeNode is the code of a node that its operator's schema does not allow.
const CodeNode errs.Code = "ONNX_NODE" // smallest input: a Concat without the attribute axis

// damaged is what to do about a node that no correct writer makes.
const damaged = "the file is damaged, or its writer is at fault: onnx.checker.check_model(FILE, full_check=True) says more; export the model again"

// invalid refuses a node that its operator does not allow, whatever the sizes are.
func (n *node) invalid(what string, args ...any) {
	err := errs.New(CodeNode, what, args...).Hint(damaged)
	n.sizeless[err] = true
	panic(refusal{err})
}

// malformed refuses a node that its operator does not allow for these sizes.
func (n *node) malformed(what string, args ...any) {
	panic(refusal{errs.New(CodeNode, what, args...).Hint(damaged)})
}

// conforms refuses a node that the schema of its operator does not allow: numbers of inputs
// and outputs, inputs that are missing, their element types and ranks, and attributes that are
// missing or of another type. Rules rely on it.
func (n *node) conforms(name string) {
	version := n.opset
	if n.Domain != "" && n.Domain != "ai.onnx" {
		version = n.model.Opsets[n.Domain]
	}
	s := signatureOf(name, version)
	if s == nil {
		return
	}
	count := len(n.Inputs)
	for count > s.max && n.Inputs[count-1] == "" {
		count--
	}
	switch {
	case count < s.min:
		n.invalid("%s with %d inputs: it takes at least %d (%s)", n.Op, count, s.min, s.names())
	case count > s.max:
		n.invalid("%s with %d inputs: it takes at most %d (%s)", n.Op, count, s.max, s.names())
	case len(n.Outputs) > s.outputs:
		n.invalid("%s with %d outputs: it has at most %d", n.Op, len(n.Outputs), s.outputs)
	}
	for i := range n.Inputs {
		n.conformsAt(s, i)
	}
	for _, a := range s.attributes {
		n.conformsIn(a)
	}
	n.ranked(name, s)
}

// conformsAt checks input i.
func (n *node) conformsAt(s *signature, i int) {
	p, ok := s.parameter(i)
	switch {
	case !ok:
		return
	case !n.has(i):
		if !p.optional && !p.variadic {
			n.invalid("%s without its input %d, %s", n.Op, i, p.name)
		}
		return
	case p.types == nil:
		return
	}
	v := n.find(n.Inputs[i])
	if v == nil || n.dequantize && v.Type.DType.IsFloat() { // a float stands for integers there
		return
	}
	if !slices.Contains(p.types, n.kind(v).String()) {
		n.invalid("%s of %s in its input %d, %s: it takes %s", n.Op, n.kind(v), i, p.name, strings.Join(p.types, ", "))
	}
}

// conformsIn checks an attribute.
func (n *node) conformsIn(a attributeOf) {
	have, ok := n.Attributes[a.name]
	switch {
	case !ok && a.required:
		n.invalid("%s without its attribute %s, of the type %s", n.Op, a.name, a.kind)
	case !ok:
	case have.Type != a.kind && have.Type != schema.AttributeProto_UNDEFINED, have.Type == schema.AttributeProto_UNDEFINED && empty(have, a.kind):
		n.invalid("%s with the attribute %s of the type %s: it is of the type %s", n.Op, a.name, have.Type, a.kind)
	}
}

// empty reports whether an attribute lacks what one of the type has. Files of the first version of
// the format do not say their types.
func empty(a onnx.Attribute, kind schema.AttributeProto_AttributeType) bool {
	switch kind {
	case schema.AttributeProto_GRAPH:
		return a.Graph == nil
	case schema.AttributeProto_TENSOR:
		return a.Tensor == nil
	case schema.AttributeProto_SPARSE_TENSOR:
		return a.Sparse == nil
	case schema.AttributeProto_TYPE_PROTO:
		return a.Value == nil
	default:
		return false
	}
}

// names lists the inputs.
func (s *signature) names() string {
	var list []string
	for _, p := range s.inputs {
		list = append(list, p.name)
	}
	return strings.Join(list, ", ")
}
