// Package onnx reads ONNX models: the graph by the generated code of package schema, the
// elements of its tensors where they lie.
//
// # Format
//
// A file is one protobuf message, a ModelProto, of at most 2 GiB. Its tensors have their
// elements in raw_data, in a typed field (float_data, int32_data, ...), or in another file
// of the model's folder, which external_data names. Open maps the files and walks the
// message once: what is large stays in the file, and is a window of it where it lies as in
// memory (raw data, packed floats and doubles, external data); varints and loose elements
// are decoded when they are asked for. The initializers, the tensors of Constant nodes and
// other attributes, those in graphs of If, Loop and Scan, and those of functions each have
// a Key, which is the name in a weights index.
//
// Elements of types that tensor/dtype lacks (complex128, int2, uint2) are kept as the
// encoding opaque/onnx-TYPE; strings are not in the index.
//
// # Strictness
//
// Where protobuf would let something pass that no writer means, it is refused: a field of
// a wrong wire type, a field twice that is not repeated, text that is not UTF-8. Each value
// is made once in its graph, by an input, an initializer or a node. Unknown fields are
// skipped. The specification asks for nodes in the order in which they can be computed;
// other programs accept any, and so are they sorted here.
//
// # Errors
//
// With the byte offset, and the node or the tensor: ONNX_TRUNCATED, ONNX_BAD_LENGTH,
// ONNX_WIRE, ONNX_LIMIT, ONNX_BAD_NAME, ONNX_NO_GRAPH, ONNX_BAD_NODE, ONNX_TENSOR,
// ONNX_BAD_SHAPE, ONNX_DUPLICATE_NAME, ONNX_UNDEFINED_VALUE, ONNX_ORDER, ONNX_EXTERNAL,
// ONNX_MISSING_DATA. Of an open file: ONNX_MISSING_TENSOR, ONNX_TENSOR.
//
// # Determinism
//
// Everything depends only on the bytes.
//
// # Untrusted input
//
// Lengths are compared with what is there before anything is made from them. A file has at
// most 2^18 nodes, 2^18 tensors and 2^21 messages; graphs nest at most 32 deep; a name has
// at most 4096 bytes, a tensor 64 dimensions and fewer than 2^56 elements; a model has at
// most 4096 files of external data. All this is checked before protobuf's decoder sees
// the message, without recursion deeper than the limit. External data must be named by
// a path inside the model's folder, and lie there when symbolic links are followed.
package onnx

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeWire          errs.Code = "ONNX_WIRE"            // smallest input: the byte 0
	CodeTruncated     errs.Code = "ONNX_TRUNCATED"       // a field that reaches past the end of the file
	CodeLength        errs.Code = "ONNX_BAD_LENGTH"      // a field that reaches past the end of its message
	CodeLimit         errs.Code = "ONNX_LIMIT"           // more than a limit of this package
	CodeName          errs.Code = "ONNX_BAD_NAME"        // a name that is empty, not UTF-8, or has a NUL
	CodeNoGraph       errs.Code = "ONNX_NO_GRAPH"        // a model without a graph
	CodeNode          errs.Code = "ONNX_BAD_NODE"        // a node without an operator
	CodeTensor        errs.Code = "ONNX_TENSOR"          // smallest input: a tensor of 2 bytes of data for one float
	CodeShape         errs.Code = "ONNX_BAD_SHAPE"       // an input of 2^62 by 2^62 elements
	CodeDuplicate     errs.Code = "ONNX_DUPLICATE_NAME"  // two initializers of one name, two nodes that make one value
	CodeUndefined     errs.Code = "ONNX_UNDEFINED_VALUE" // an input of a node that nothing makes
	CodeOrder         errs.Code = "ONNX_ORDER"           // a node that uses what it makes itself, by whatever other nodes
	CodeExternal      errs.Code = "ONNX_EXTERNAL"        // external data whose path leaves the model's folder, or whose length lies
	CodeMissingData   errs.Code = "ONNX_MISSING_DATA"    // a file of external data that cannot be opened
	CodeMissingTensor errs.Code = "ONNX_MISSING_TENSOR"  // no tensor of this key
)

// Format is the name of the format in an index.
const Format = "onnx"

// Limits of a file; see Untrusted input.
const (
	MaxMessage  = 1<<31 - 1
	MaxNodes    = 1 << 18
	MaxTensors  = 1 << 18
	MaxMessages = 1 << 21
	MaxName     = 1 << 12
	MaxRank     = 64
	MaxFiles    = 1 << 12
)

const (
	deepest    = 32            // graphs
	maxNesting = 3*deepest + 4 // messages: a graph, a node and an attribute, and what is in a tensor
	maxElement = 1<<56 - 1     // of a tensor: their bits are counted too
)
