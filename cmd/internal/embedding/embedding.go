// Command embed prints the similarity of sentences.
package main

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

func main() { command.Program(newCommand()) }

// parts locates the program of a model; //models/bert sets it.
var parts program.Parts

type options struct {
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

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "embed [flags] SENTENCE...",
		Short: "Print the similarity of sentences",
		Long: `Embed prints the cosine similarity of each pair of sentences, 1 for the same meaning,
or the vector of a single sentence.

With --model it takes any embedding model of BERT's kind in a file: ONNX, with the arguments
input_ids, attention_mask and perhaps token_type_ids, or GGUF, which has its tokenizer. How
it pools, how long texts may be and what it wants in front are flags, or files that come
with sentence-transformers' models.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return embed(cmd.Context(), o, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON: texts, their vectors, and all pairwise similarities")
	f.IntVar(&o.positions, "positions", 0, "maximum number of tokens of a sentence, including the two special tokens around it; the rest is truncated; 0 is what the model was trained on, by its settings, or else its maximum")
	f.StringVar(&o.settings, "settings", "", "`file` with the model's settings, its sentence_bert_config.json, instead of the one next to this program, if any")
	f.StringVar(&o.pooling, "pooling", "", "how the model pools the vectors of tokens: mean, cls, or the `file` that says so, its 1_Pooling/config.json, instead of the one next to this program, if any")
	f.StringVar(&o.prefix, "prefix", "", "`text` to put in front of each sentence, such as \"query: \"")
	f.StringVar(&o.prompts, "prompts", "", "`file` with the texts that the model wants in front, its config_sentence_transformers.json, instead of the one next to this program, if any")
	f.StringVar(&o.prompt, "prompt", "", "`name` of the text in front, such as query or passage, or none; by default the model's own")
	command.FlagTokenizer.Text(cmd, &o.tokenizer, "")
	o.model.Flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("prefix", "prompt")
	return cmd
}

func embed(ctx context.Context, o options, texts []string, stdout, stderr io.Writer) error {
	tokens, err := o.tokens()
	if err != nil {
		return err
	}
	x, err := o.model.Open(ctx, &parts, stderr)
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
	path, err := parts.File("settings", o.settings)
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
		path, err := parts.File("pooling", o.pooling)
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
		path, err := parts.File("prompts", o.prompts)
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
