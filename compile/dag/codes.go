package dag

import "github.com/skainet-dev/skainet-go/errs"

// Codes of what a graph does not have.
const (
	CodeNoFunction errs.Code = "DAG_NO_FUNCTION" // smallest input: a call of Func("f") for a graph without functions
	CodeNoState    errs.Code = "DAG_NO_STATE"    // smallest input: State("s") of a graph without states
	CodeParamType  errs.Code = "DAG_PARAM_TYPE"  // smallest input: one key read as f32 and as f16, or from two scopes
)

// Codes of the verifier. The smallest input is a function of as few nodes as the fault
// needs.
const (
	CodeName      errs.Code = "DAG_NAME"      // a name that is not an identifier, or is given twice
	CodeSignature errs.Code = "DAG_SIGNATURE" // another number of names than of arguments or results
	CodeWrite     errs.Code = "DAG_WRITE"     // a state that is written twice, by a private function or with another type
	CodeUndefined errs.Code = "DAG_UNDEFINED" // a value that no node before its use makes
	CodeTypes     errs.Code = "DAG_TYPES"     // types or attributes that are not those of shape inference
	CodePorts     errs.Code = "DAG_PORTS"     // a value that does not know its place
	CodeBlocks    errs.Code = "DAG_BLOCKS"    // another number of nested blocks than the operation has
	CodeCall      errs.Code = "DAG_CALL"      // a callee that is missing, comes later or has other types
	CodeWhile     errs.Code = "DAG_WHILE"     // a loop whose blocks do not take and give what it carries
	CodeCond      errs.Code = "DAG_COND"      // a choice whose blocks do not give the same types
	CodeState     errs.Code = "DAG_STATE"     // a state variable that is missing, dynamic, or read where it may not be
	CodeDim       errs.Code = "DAG_DIM"       // a name of a dimension that no argument has
	CodeArgs      errs.Code = "DAG_ARGS"      // arguments that do not fit a function
)
