package snippets

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/models/bert"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Adapters opens a program twice, with an adapter and without.
func Adapters(c *contract.Contract) ([]backend.Executable, error) {
	base, err := iree.Open(iree.Options{
		Program: "llama.vmfb", Contract: c,
		Archives: map[string][]string{"model": {"llama.irpa"}, "adapter": {"none.irpa"}},
	})
	if err != nil {
		return nil, err
	}
	poet, err := base.(backend.Shared).Session(map[string][]string{"adapter": {"poet.irpa"}})
	return []backend.Executable{base, poet}, err
}

// Codes decides by the code of an error.
func Codes(path string, fetchAgain func(string) error) error {
	f, err := gguf.Open(path)
	if errs.CodeOf(err) == gguf.CodeTruncated {
		return fetchAgain(path)
	}
	var e *errs.Error
	if errors.As(err, &e) {
		log.Println(e.Code, e.File, e.Node, e.Do) // the code, where, what to do
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Similarity compares two sentences.
func Similarity(ctx context.Context, program backend.Executable) (float64, error) {
	tokens, err := tokenizer.Load("tokenizer.json")
	if err != nil {
		return 0, err
	}
	positions, err := bert.LoadPositions("sentence_bert_config.json")
	if err != nil {
		return 0, err
	}
	embedder, err := bert.NewEmbedder(program, tokens, positions)
	if err != nil {
		return 0, err
	}
	vectors, err := embedder.Embed(ctx, "A cat sits on the mat.", "Shares fell today.")
	if err != nil {
		return 0, err
	}
	similarity := bert.Cosine(vectors[0], vectors[1])
	return similarity, nil
}

// Continue writes what a model continues a text with.
func Continue(ctx context.Context, program backend.Executable) (textmodel.Answer, error) {
	session, err := generate.NewSession(program, generate.Options{Slide: true})
	if err != nil {
		return textmodel.Answer{}, err
	}
	language, err := textmodel.Open("mine_tokenizer.gguf")
	if err != nil {
		return textmodel.Answer{}, err
	}
	model, err := textmodel.New(language, session, false)
	if err != nil {
		return textmodel.Answer{}, err
	}
	answer, err := model.Continue(ctx, "Once", generate.Request{Tokens: 100}, func(piece string) error {
		_, err := os.Stdout.WriteString(piece)
		return err
	})
	return answer, err
}
