package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/skainet-dev/skainet-go/docs/rulereference/stardoc"
)

// Bazel writes the same message as text, which names the fields: both say the same.
func TestBazelsTextSaysTheSame(t *testing.T) {
	for _, which := range []string{"RULES", "EXTENSION", "ASPECTS"} {
		message, err := os.ReadFile(os.Getenv(which))
		require.NoError(t, err)
		text, err := os.ReadFile(os.Getenv(which + "_TEXT"))
		require.NoError(t, err)
		var m, want stardoc.ModuleInfo
		require.NoError(t, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(message, &m))
		require.NoError(t, prototext.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, &want))
		require.Empty(t, cmp.Diff(&want, &m, protocmp.Transform()), which)
		require.NotZero(t, proto.Size(&m), which)
	}
}

func TestProse(t *testing.T) {
	for doc, want := range map[string]string{
		"":                                   "",
		"One line.":                          "One line.\n",
		"A list:\n\n  * a;\n  * b c\n    d.": "A list:\n\n* a;\n* b c\nd.\n",
		"Write\n\n    load(1)\n      x\n\nand go.": "Write\n\n....\nload(1)\n  x\n....\n\nand go.\n",
	} {
		require.Equal(t, want, prose(doc), doc)
	}
}

func TestAFileThatIsNoMessage(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "no rule is documented",
		"\x0a\x05abc":      "not a stardoc_output.ModuleInfo",
		"\xff\xff":         "not a stardoc_output.ModuleInfo",
		"\x0a\x02\x1a\x05": "not a stardoc_output.ModuleInfo",
	} {
		path := filepath.Join(t.TempDir(), "m")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := reference([]string{"T=" + path})
		require.ErrorContains(t, err, want)
	}
	_, err := reference([]string{"untitled"})
	require.ErrorContains(t, err, "TITLE=FILE")
	_, err = reference([]string{"T=" + filepath.Join(t.TempDir(), "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAListHangsOnItsLine(t *testing.T) {
	m := stardoc.ModuleInfo{RuleInfo: []*stardoc.RuleInfo{{RuleName: "r", DocString: "Does.", Attribute: []*stardoc.AttributeInfo{
		{Name: "a", Type: stardoc.AttributeType_STRING, DefaultValue: `"x"`, DocString: "One of\n\n  * b;\n  * c."},
	}}}}
	var page bytes.Buffer
	writeModule(&page, "T", &m)
	require.Contains(t, page.String(), "`a`:: _(string, `+\"x\"+`)_ One of\n+\n* b;\n* c.\n")
}
