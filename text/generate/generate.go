package generate

import "github.com/skainet-dev/skainet-go/internal/errs"

// The closed list of error codes.
const (
	CodeProgram  errs.Code = "GENERATE_PROGRAM"  // the program lacks an entry point, or has another signature
	CodeOptions  errs.Code = "GENERATE_OPTIONS"  // a size that cannot be
	CodeSampling errs.Code = "GENERATE_SAMPLING" // a number of Sampling that means nothing
	CodeLogits   errs.Code = "GENERATE_LOGITS"   // logits without a largest finite one
	CodePrompt   errs.Code = "GENERATE_PROMPT"   // a prompt without tokens, or with text that is no UTF-8
	CodeToken    errs.Code = "GENERATE_TOKEN"    // a token that the vocabulary does not have
	CodeContext  errs.Code = "GENERATE_CONTEXT"  // more tokens than the program's context has room for
	CodeCanceled errs.Code = "GENERATE_CANCELED" // the caller's context ended
)
