// Package traps finds in the compiler's intermediate text what rows of
// compile/iree.Rewrites and the flags of targets keep out of programs, and what no
// diagnostic reports: memory without a barrier, copies of weights and caches.
//
// # Errors
//
// None: text that holds no such form gives an empty list.
//
// # Determinism
//
// Lists are in the order of the text.
package traps

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var hoisted = regexp.MustCompile(`util\.global private @(__hoisted\S*) .*: tensor<([0-9x]*?)x?([a-z]+[0-9]+)>`)

// HoistedCopies lists the tensors of at least size bytes that a program makes
// from its weights when it is loaded and keeps in addition to them: transposed copies
// at optimisation level O0, and widened ones where constant expressions are
// hoisted. text is of the phase flow.
func HoistedCopies(text string, size int64) []string {
	var found []string
	for _, m := range hoisted.FindAllStringSubmatch(text, -1) {
		n := int64(1)
		for _, s := range strings.Split(m[2], "x") {
			if d, err := strconv.ParseInt(s, 10, 64); err == nil {
				n *= d
			}
		}
		width := int64(1)
		for _, d := range dtype.All() {
			if d.MLIR() == m[3] {
				width = max(width, int64(d.Bits())/8)
			}
		}
		if n*width >= size {
			found = append(found, m[1])
		}
	}
	return found
}

var (
	kernel    = regexp.MustCompile(`spirv\.func @(\S+?)\(.*known_block_size = array<i32: (\d+), (\d+), (\d+)>`)
	shared    = regexp.MustCompile(`(%\S+) = spirv\.mlir\.addressof @\S+ : !spirv\.ptr<.*, Workgroup>`)
	entrances = "spirv.EntryPoint "
)

// Unsynchronised lists the SPIR-V kernels in which one invocation of a workgroup
// may read what another wrote, without a barrier between them: the kernel has
// several invocations, no barrier, and reaches one variable of workgroup memory
// by more than one index. text is of the phase executable-targets.
func Unsynchronised(text string) []string {
	var found []string
	for _, k := range strings.SplitAfter(text, entrances) {
		head := kernel.FindStringSubmatch(k)
		if head == nil || strings.Contains(k, "spirv.ControlBarrier") || head[2] == "1" && head[3] == "1" && head[4] == "1" {
			continue
		}
		for _, v := range shared.FindAllStringSubmatch(k, -1) {
			if strings.Count(k, "spirv.AccessChain "+v[1]+"[") > 1 {
				found = append(found, head[1])
				break
			}
		}
	}
	return found
}

// Kernels counts the SPIR-V kernels of text.
func Kernels(text string) int { return len(kernel.FindAllString(text, -1)) }
