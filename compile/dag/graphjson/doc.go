// Package graphjson writes a graph (compile/dag) as JSON and reads it back, so
// that programs in other languages can generate, change and inspect graphs.
//
// A document holds everything that a graph holds: states, functions with the
// names of their arguments and results, nodes with their paths, attributes and
// nested blocks, the writes of states. Weights are in it by scope and key, as
// attributes of the operation parameter, and never with their values. The
// schema for other tools is schema.json in this folder.
//
//	{"schema":1,"name":"line","states":[],"functions":[
//	 {"name":"main","entry":true,
//	  "args":[{"name":"x","id":0,"dtype":"f32","shape":["batch?",2]}],
//	  "nodes":[
//	   {"op":"exp","path":"main/exp","inputs":[0],"outputs":[{"id":1,"dtype":"f32","shape":["batch?",2]}]}
//	  ],
//	  "results":[{"name":"y","value":1}],
//	  "writes":[]}
//	]}
//
// A dynamic size is "name?", where an argument of the function must have a
// dimension of that name, or an expression of names: "past+seq?", "2*n-1?",
// "(seq+1)/2?" (rounded down). "?" alone is a size that is equal to no other.
//
// A value is defined once, as an argument of a function or block or as an
// output of a node, and identified by its id, an integer that is unique in
// the function. Ids may have gaps. A node uses values of earlier nodes and of
// enclosing blocks. The types of outputs may be omitted if shape inference
// determines them; those of calls, loops and conditionals may not.
//
// An attribute is written according to its kind in the table of operations:
//
//	int    an integer          ints    a list of integers
//	bool   true or false           string  a string
//	dtype  "f32"                   type    {"dtype":"f32","shape":[2]}
//	dims   a list of sizes, as a shape: integers, or "batch?"
//	float  a number, "inf", "-inf", "nan" or "nan:7ff8000000000001" (its bits)
//	value  {"dtype":"f32","shape":[2],"data":"AACAPwAAAEA="}
//
// Data is base64 (RFC 4648, with padding) of little-endian, row-major bytes, so
// that every bit pattern survives. An omitted attribute has its default.
//
// The field "mesh", which is omitted for a graph of one device, says how values are split
// over several (compile/dag.Mesh): {"axes":[{"name":"model","size":2}],"parameters":
// {"w":["model",""]},"states":{},"arguments":{"main.x":["",""]},"results":{}}.
//
// Operations of other packages (compile/op.Register) have a dot in their names. The field
// "operators" of the document, which is omitted if there are none, is an object with the import
// path of the package that registers each: {"acme.swish":"example.com/acme/ops"}. A
// program that does not import it refuses the graph with OP_UNKNOWN.
//
// # Errors
//
// Parse: GRAPH_JSON for text that is not JSON or a value of the wrong kind,
// GRAPH_FIELD for a field that is missing or unknown, GRAPH_SCHEMA for another
// version, GRAPH_LIMIT, GRAPH_ID for an id that is defined twice or used
// before its definition, GRAPH_ATTRIBUTE for an attribute that is not written
// according to its kind, GRAPH_TYPE if a stated type differs from the inferred
// one, GRAPH_RULE for a shape rule that panics; and the OP_* errors of shape
// inference and the DAG_* errors of the verifier. All errors with a location
// in the document have its byte offset. Marshal: GRAPH_TEXT for a name that
// is not UTF-8, and the DAG_* errors of an invalid graph.
//
// # Determinism
//
// Marshal returns the same bytes for equal graphs; Marshal(Parse(Marshal(g))) is
// byte-equal to Marshal(g).
//
// # Untrusted input
//
// A document has at most 1 GiB, 64 levels of nested blocks, strings
// of 4096 bytes except data, and rank 32. Memory is bounded by a multiple of
// the document's length: the length of data is compared with its type before
// anything is decoded.
package graphjson

import "github.com/skainet-dev/skainet-go/errs"

// Schema is the version of the document that this package reads and writes.
const Schema = 1

// The limits of Parse.
const (
	MaxBytes  = 1 << 30
	MaxBlocks = 64 // nesting depth
	MaxString = 4096
	MaxRank   = 32
	MaxID     = 1<<31 - 1
)

// Codes of this package.
const (
	CodeJSON      errs.Code = "GRAPH_JSON"      // smallest input: the empty text
	CodeField     errs.Code = "GRAPH_FIELD"     // smallest input: {}
	CodeSchema    errs.Code = "GRAPH_SCHEMA"    // smallest input: {"schema":2}
	CodeLimit     errs.Code = "GRAPH_LIMIT"     // smallest input: a string of 4097 bytes
	CodeID        errs.Code = "GRAPH_ID"        // smallest input: a result whose value is not defined
	CodeAttribute errs.Code = "GRAPH_ATTRIBUTE" // smallest input: a state with "init":"zero"
	CodeType      errs.Code = "GRAPH_TYPE"      // smallest input: a node without outputs
	CodeRule      errs.Code = "GRAPH_RULE"      // none is known: a bug in the table of operations
	CodeText      errs.Code = "GRAPH_TEXT"      // smallest input: a node whose path is the byte 0xff
)
