package randgraph

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// The test program acts as the peer if it is started with this variable.
const asPeer = "RANDGRAPH_TEST_PEER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(asPeer); kind != "" {
		answer(kind)
		return
	}
	os.Exit(m.Run())
}

// answer evaluates negations of f32 and rejects the rest, depending on kind.
func answer(kind string) {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil || kind == "mute" {
			return
		}
		var request struct {
			Text string
			Args []wire
		}
		if err := json.Unmarshal(line, &request); err != nil || !strings.Contains(request.Text, "func.func @main(") {
			fmt.Println(`{"invalid":"no module"}`)
			continue
		}
		if kind != "negate" {
			fmt.Println(kind)
			continue
		}
		for i := 3; i < len(request.Args[0].Data); i += 4 {
			request.Args[0].Data[i] ^= 0x80
		}
		reply, err := json.Marshal(map[string]any{"results": request.Args[:1]})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(reply))
	}
}

func TestPeer(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	var negation *Case
	for seed := uint64(0); negation == nil; seed++ {
		c, err := Make(seed, Options{MaxOps: 1, Only: []string{"negate"}})
		require.NoError(t, err)
		if v := c.values[0]; c.steps[0].build == nil && v.typ.DType.String() == "f32" && len(v.worlds[0].Bytes) > 0 {
			negation = c
		}
	}
	for kind, code := range map[string]errs.Code{
		"negate": "", "mute": CodePeer, `{"error":"cannot"}`: CodePeer, `{"invalid":"line 3"}`: CodeMismatch,
		`{"results":[]}`: CodeMismatch, "nonsense": CodePeer, `{"results":[{"dtype":"f32","shape":[2],"data":""}]}`: CodePeer,
	} {
		t.Setenv(asPeer, kind)
		p := &Peer{Argv: []string{exe}, Log: os.Stderr}
		for range 2 { // one that has ended is restarted
			failures, err := Compare(context.Background(), p.Backend("peer"), []*Case{negation})
			require.NoError(t, err)
			if code == "" {
				require.Empty(t, failures, kind)
				continue
			}
			require.Len(t, failures, 1, kind)
			require.Equal(t, code, errs.CodeOf(failures[0].Err), "%s: %v", kind, failures[0].Err)
		}
		p.Close()
	}
	p := &Peer{Argv: []string{exe + ".none"}}
	failures, err := Compare(context.Background(), p.Backend("peer"), []*Case{negation})
	require.NoError(t, err)
	require.Len(t, failures, 1)
	require.ErrorContains(t, failures[0].Err, string(CodePeer))

	// Graphs that the peer cannot evaluate are counted; it must evaluate most.
	t.Setenv(asPeer, `{"error":"cannot"}`)
	p = &Peer{Argv: []string{exe}}
	defer p.Close()
	var out bytes.Buffer
	k := Check{Options: Options{MaxOps: 2}, Graphs: 3, Batch: 2, Backends: []Backend{p.Backend("peer")}}
	require.ErrorContains(t, k.Run(context.Background(), &out), "peer evaluates only 0 of 3 graphs")
	require.Contains(t, out.String(), "peer (cannot evaluate 3): 0 fail")
}
