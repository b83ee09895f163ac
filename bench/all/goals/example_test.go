package goals_test

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/bench/all/goals"
)

// What decoding is to reach beside llama.cpp on a processor with AVX-512.
func ExampleFind() {
	goal, ok := goals.Find("text", "gemma3_270m decode 64", "ours-v4", "llama.cpp")
	fmt.Println(ok, goal.Work)
	for threads := 1; threads <= 2; threads++ {
		ratio, _ := goal.Ratio([]string{"avx2", "avx512f"}, threads)
		fmt.Printf("%d: %.1f\n", threads, ratio)
	}
	_, ok = goals.Find("ops", "matmul", "ours", "gonum")
	fmt.Println(ok)
	// Output:
	// true language models, decode
	// 1: 1.5
	// 2: 1.4
	// false
}
