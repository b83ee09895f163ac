//go:build integration

package cortexm

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The firmware, from reset, on an emulated board: it prints the bits that the
// CPU backend computes.
func TestFirmware(t *testing.T) {
	c, err := contract.ReadFile(runfile(t, "CONTRACT"))
	require.NoError(t, err)
	g, err := export.Capture(cpu.Evaluate, c.Name, nil, affine.Model, "", "")
	require.NoError(t, err)
	x, err := cpu.Load(g, c, nil)
	require.NoError(t, err)
	arg, err := tensor.Of([]float32{1, -2, 3.5, 4e6}, 4) // those of firmware.c
	require.NoError(t, err)
	results, err := x.Call(context.Background(), "main", arg)
	require.NoError(t, err)
	y, err := tensor.Slice[float32](results[0])
	require.NoError(t, err)
	want := ""
	for _, v := range y {
		want += fmt.Sprintf("%08x\n", math.Float32bits(v))
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	words, env := emulator(t)
	words = append(words, "-machine", "mps2-an500", "-nic", "none", "-nodefaults", "-nographic",
		"-semihosting-config", "enable=on,target=native", "-kernel", runfile(t, "FIRMWARE"))
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = env
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	require.NoError(t, cmd.Run(), "%s", &messages)
	// Semihosting output is mixed with the emulator's own messages.
	require.Equal(t, want, out.String()+lines(messages.Bytes()))
}

// emulator returns the command that emulates boards, and its environment.
func emulator(t *testing.T) (words, env []string) {
	t.Helper()
	file := runfile(t, "EMULATOR")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var tools struct {
		Prefix    []string
		Variables map[string]string
	}
	require.NoError(t, json.Unmarshal(b, &tools))
	full := func(s string) string { return strings.ReplaceAll(s, "{root}", filepath.Dir(file)) }
	for _, w := range tools.Prefix {
		words = append(words, full(w))
	}
	for name, value := range tools.Variables {
		env = append(env, name+"="+full(value))
	}
	return words, env
}

// lines returns the output without the emulator's own messages.
func lines(b []byte) string {
	text := ""
	for _, l := range bytes.SplitAfter(b, []byte("\n")) {
		if !bytes.HasPrefix(l, []byte("qemu-system-arm: ")) {
			text += string(l)
		}
	}
	return text
}

// The image is for the right processor, complete, and small.
func TestImage(t *testing.T) {
	f, err := elf.Open(runfile(t, "FIRMWARE"))
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, elf.EM_ARM, f.Machine)
	require.Equal(t, elf.ET_EXEC, f.Type)
	require.Equal(t, uint64(1), f.Entry&1, "the processor only supports Thumb")
	size := uint64(0)
	for _, p := range f.Progs {
		require.NotContains(t, []elf.ProgType{elf.PT_INTERP, elf.PT_DYNAMIC}, p.Type)
		if p.Type == elf.PT_LOAD {
			size += p.Filesz
		}
	}
	require.Less(t, size, uint64(2048))
	// The first vectors: the top of the stack and the reset handler.
	text := f.Section(".text")
	require.Zero(t, text.Addr)
	data, err := text.Data()
	require.NoError(t, err)
	require.Equal(t, uint32(0x20400000), f.ByteOrder.Uint32(data))
	require.Equal(t, uint32(f.Entry), f.ByteOrder.Uint32(data[4:]))
}

// The object file is complete: it has no undefined symbols.
func TestObject(t *testing.T) {
	var object string
	for _, name := range strings.Fields(os.Getenv("CODE")) {
		if filepath.Ext(name) == ".o" {
			object = name
		}
	}
	p, err := runfiles.Rlocation(object)
	require.NoError(t, err)
	f, err := elf.Open(p)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, elf.ET_REL, f.Type)
	symbols, err := f.Symbols()
	require.NoError(t, err)
	var global []string
	for _, s := range symbols {
		require.False(t, s.Section == elf.SHN_UNDEF && s.Name != "", s.Name)
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			global = append(global, s.Name)
		}
	}
	require.Equal(t, []string{"main_dispatch_0_library_query"}, global)
}

func runfile(t *testing.T, variable string) string {
	t.Helper()
	p, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	return p
}
