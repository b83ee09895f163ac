package hugepages

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The kernel knows of the advice: the mapping has the flag hg, where the kernel was
// built with large pages.
func TestKernelTakesTheAdvice(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Logf("no large pages to ask for: %v", err)
		return
	}
	b := make([]byte, 3*Size)
	Advise(b)
	at := uintptr(unsafe.Pointer(&b[Size]))
	f, err := os.Open("/proc/self/smaps")
	require.NoError(t, err)
	defer f.Close()
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		var first, end uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &first, &end); n == 2 {
			inside = first <= at && at < end
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			require.Contains(t, strings.Fields(flags), "hg", "%s", line)
			return
		}
	}
	t.Fatal("the mapping of the memory is not listed")
}
