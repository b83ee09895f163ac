package verify

import (
	"os"
	"path/filepath"
	"testing"
)

// Any text gives errors and no panic, the same ones each time, each at a position
// in the text.
func FuzzText(f *testing.F) {
	for _, pattern := range []string{"faults", "good", "oracle"} {
		files, err := filepath.Glob(filepath.Join("testdata", pattern, "*.mlir"))
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		first, second := Text("x", text), Text("x", text)
		if len(first) != len(second) || len(first) > MaxFaults {
			t.Fatalf("%d faults, then %d", len(first), len(second))
		}
		for i, err := range first {
			if err.Error() != second[i].Error() {
				t.Fatalf("%v, then %v", err, second[i])
			}
		}
	})
}
