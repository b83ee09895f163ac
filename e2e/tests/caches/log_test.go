//go:build integration

package caches

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

// spawn is an object of Bazel's execution log.
type spawn struct {
	Mnemonic  string `json:"mnemonic"`
	Target    string `json:"targetLabel"`
	Runner    string `json:"runner"`
	Cacheable bool   `json:"cacheable"`
	RemoteToo bool   `json:"remoteCacheable"`
	Hit       bool   `json:"cacheHit"`
	Outputs   []struct {
		Path   string `json:"path"`
		Digest struct {
			Hash string `json:"hash"`
		} `json:"digest"`
	} `json:"actualOutputs"`
}

// log is the execution log of one build, without actions that were up to date.
type log []spawn

// build builds the model's program and archive, with their validations.
func build(t *testing.T, w *nested.Workspace, options ...string) log {
	t.Helper()
	file := filepath.Join(w.Dir, "spawns.json")
	_ = os.Remove(file)
	w.Succeed("build", append(options, "--experimental_output_paths=strip", "--execution_log_json_file="+file, "--output_groups=vmfb,irpa,sizes",
		"//:affine_vmfb_cpu", "//:affine_irpa")...)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	d := json.NewDecoder(f)
	var all log
	for {
		var s spawn
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			require.NoError(t, err)
		}
		all = append(all, s)
	}
}

// rules are the actions of this rule set.
func (l log) rules() log {
	var mine log
	for _, s := range l {
		if strings.HasPrefix(s.Target, "//:affine") || strings.HasPrefix(s.Target, "@@//:affine") {
			for _, name := range mnemonics {
				if s.Mnemonic == name {
					mine = append(mine, s)
				}
			}
		}
	}
	return mine
}

// mnemonics are the actions from weights and text to program and archive.
var mnemonics = []string{"WeightsIndex", "StableHloExport", "StableHloVerify", "IrpaPack", "IrpaVerify", "IreeCompile", "IreeSizes"}

// runners returns where the actions of each mnemonic ran.
func (l log) runners() map[string]string {
	m := map[string]string{}
	for _, s := range l {
		if have, ok := m[s.Mnemonic]; ok && have != s.Runner {
			m[s.Mnemonic] = have + " and " + s.Runner
			continue
		}
		m[s.Mnemonic] = s.Runner
	}
	return m
}

// hash returns the sha256 of an output of the build.
func (l log) hash(t *testing.T, name string) string {
	t.Helper()
	for _, s := range l {
		for _, o := range s.Outputs {
			if path.Base(o.Path) == name {
				return o.Digest.Hash
			}
		}
	}
	t.Fatalf("%s was not made", name)
	return ""
}
