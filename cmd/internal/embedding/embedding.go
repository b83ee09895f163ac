// Package embedding prints the similarity of sentences on a command line, by an embedding
// model of BERT's kind.
//
// # Errors
//
// USAGE for a command line that names no tokenizer; otherwise those of packages bert,
// chosen, program and tokenizer.
//
// # Determinism
//
// The output depends on the model, the sentences and the flags.
package embedding

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/cmd/internal/chosen"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/bert"
)

type options struct {
	parts     *program.Parts // nil where a model's file is the argument
	model     chosen.Model
	tokenizer string
	settings  string
	pooling   string
	prompts   string
	prompt    string
	prefix    string
	positions int
	json      bool
}

const long = `Embed prints the cosine similarity of each pair of sentences, 1 for the same meaning,
or the vector of a single sentence.

%s any embedding model of BERT's kind in a file: ONNX, with the arguments
input_ids, attention_mask and perhaps token_type_ids, or GGUF, which has its tokenizer. How
it pools, how long texts may be and what it wants in front are flags, or files that come
with sentence-transformers' models.`

// NewProgramCommand returns the command embed of a program that has its model: parts
// locates it. It takes a file in its place with --model.
func NewProgramCommand(parts *program.Parts) *cobra.Command {
	o := &options{parts: parts}
	cmd := newCommand(o)
	cmd.Use = "embed [flags] SENTENCE..."
	cmd.Long = fmt.Sprintf(long, "With --model it takes")
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return o.embed(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	o.model.Flags(cmd)
	return cmd
}

// NewFileCommand returns the command embed for a model's file.
func NewFileCommand() *cobra.Command {
	o := &options{parts: &program.Parts{}}
	cmd := newCommand(o)
	cmd.Use = "embed FILE SENTENCE... [flags]"
	cmd.Long = fmt.Sprintf(long, "FILE is")
	cmd.Args = cobra.MinimumNArgs(2)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.model.Path = command.Path(args[0])
		return o.embed(cmd.Context(), args[1:], cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	at := &o.model.Program
	command.FlagDevice.Text(cmd, &at.Device, "cpu")
	command.FlagThreads.Count(cmd, &at.Threads)
	command.FlagLibrary.Text(cmd, &at.Library, "")
	command.FlagTool.Text(cmd, &at.Tool, "")
	o.model.FileFlags(cmd)
	return cmd
}

func newCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{Short: "Print the similarity of sentences"}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON: texts, their vectors, and all pairwise similarities")
	f.IntVar(&o.positions, "positions", 0, "maximum number of tokens of a sentence, including the two special tokens around it; the rest is truncated; 0 is what the model was trained on, by its settings, or else its maximum")
	f.StringVar(&o.settings, "settings", "", "`file` with the model's settings, its sentence_bert_config.json, instead of the one next to this program, if any")
	f.StringVar(&o.pooling, "pooling", "", "how the model pools the vectors of tokens: mean, cls, or the `file` that says so, its 1_Pooling/config.json, instead of the one next to this program, if any")
	f.StringVar(&o.prefix, "prefix", "", "`text` to put in front of each sentence, such as \"query: \"")
	f.StringVar(&o.prompts, "prompts", "", "`file` with the texts that the model wants in front, its config_sentence_transformers.json, instead of the one next to this program, if any")
	f.StringVar(&o.prompt, "prompt", "", "`name` of the text in front, such as query or passage, or none; by default the model's own")
	command.FlagTokenizer.Text(cmd, &o.tokenizer, "")
	cmd.MarkFlagsMutuallyExclusive("prefix", "prompt")
	return cmd
}

func (o *options) embed(ctx context.Context, texts []string, stdout, stderr io.Writer) error {
	tokens, err := o.tokens()
	if err != nil {
		return err
	}
	x, err := o.model.Open(ctx, o.parts, stderr)
	if err != nil {
		return err
	}
	defer x.Close()
	positions, err := o.length()
	if err != nil {
		return err
	}
	e, err := bert.NewEmbedder(x, tokens, positions)
	if err != nil {
		return err
	}
	if err := o.apply(e); err != nil {
		return err
	}
	for _, t := range texts {
		if _, cut, err := e.Tokens(t); err == nil && cut > 0 {
			fmt.Fprintf(stderr, "embed: truncated to %d of %d tokens: %q\n", e.Positions(), e.Positions()+cut, begin(t))
		}
	}
	vectors, err := e.Embed(ctx, texts...)
	if err != nil {
		return err
	}
	return show(stdout, o.json, texts, vectors)
}

// length returns the maximum number of tokens of a text; 0 is the model's maximum.
func (o *options) length() (int, error) {
	if o.positions != 0 || !o.has("settings", o.settings) {
		return o.positions, nil
	}
	path, err := o.parts.File("settings", o.settings)
	if err != nil {
		return 0, err
	}
	return bert.LoadPositions(path)
}

// apply sets how the model pools, and what it wants in front of a text.
func (o *options) apply(e *bert.Embedder) error {
	if p, ok := bert.ParsePooling(o.pooling); ok {
		e.Pooling = p
	} else if o.has("pooling", o.pooling) {
		path, err := o.parts.File("pooling", o.pooling)
		if err != nil {
			return err
		}
		if e.Pooling, err = bert.LoadPooling(path); err != nil {
			return err
		}
	}
	if o.prefix != "" {
		e.Prompt = o.prefix
		return nil
	}
	var p bert.Prompts
	if o.has("prompts", o.prompts) {
		path, err := o.parts.File("prompts", o.prompts)
		if err != nil {
			return err
		}
		if p, err = bert.LoadPrompts(path); err != nil {
			return err
		}
	}
	var err error
	e.Prompt, err = p.Text(o.prompt)
	return err
}

// begin returns the beginning of a text, to identify it.
func begin(text string) string {
	r := []rune(text)
	if len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return text
}

// report is the output of --json.
type report struct {
	Texts        []string    `json:"texts"`
	Embeddings   [][]float32 `json:"embeddings"`
	Similarities [][]float64 `json:"similarities"`
}

func show(stdout io.Writer, asJSON bool, texts []string, vectors [][]float32) error {
	r := report{Texts: texts, Embeddings: vectors}
	var lines strings.Builder
	for i, a := range vectors {
		var row []float64
		for j, b := range vectors {
			c := bert.Cosine(a, b)
			row = append(row, c)
			if i < j {
				fmt.Fprintf(&lines, "%.4f  %q  %q\n", c, begin(texts[i]), begin(texts[j]))
			}
		}
		r.Similarities = append(r.Similarities, row)
	}
	if len(vectors) == 1 {
		lines.WriteString(strings.Trim(fmt.Sprint(vectors[0]), "[]") + "\n")
	}
	if asJSON {
		return command.PrintJSON(stdout, "vectors", "", r)
	}
	return command.Print(stdout, "similarities", lines.String())
}
