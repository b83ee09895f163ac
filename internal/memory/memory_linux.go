package memory

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func installed() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return Most
	}
	return int64(info.Totalram) * int64(info.Unit)
}

func available() int64 {
	n := int64(Most)
	if f, err := os.Open("/proc/meminfo"); err == nil {
		defer f.Close()
		if free, ok := meminfo(bufio.NewScanner(f)); ok {
			n = free
		}
	}
	return min(n, grouped("/sys/fs/cgroup"))
}

// meminfo reads proc_meminfo(5): what can be taken without swapping, and free swap.
func meminfo(lines *bufio.Scanner) (n int64, ok bool) {
	for lines.Scan() {
		words := strings.Fields(lines.Text()) // MemAvailable: 123 kB
		if len(words) < 2 || words[0] != "MemAvailable:" && words[0] != "SwapFree:" {
			continue
		}
		kib, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil || kib < 0 || kib > Most>>10 {
			return 0, false
		}
		n += kib << 10
		ok = ok || words[0] == "MemAvailable:"
	}
	return n, ok
}

// grouped returns what a control group (v2), in whose folder its files are, leaves: its limit
// but for what is in use and is not a cache of files.
func grouped(dir string) int64 {
	limit, ok := number(filepath.Join(dir, "memory.max"))
	if !ok {
		return Most
	}
	used, _ := number(filepath.Join(dir, "memory.current"))
	if b, err := os.ReadFile(filepath.Join(dir, "memory.stat")); err == nil {
		for line := range strings.Lines(string(b)) {
			if text, found := strings.CutPrefix(line, "inactive_file "); found {
				if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
					used -= n
				}
			}
		}
	}
	return max(limit-max(used, 0), 0)
}

// number reads a file of one number; max is none.
func number(path string) (int64, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}
