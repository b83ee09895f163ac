package cpu

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// grain is the number of elements of an elementwise operation that is worth a goroutine.
const grain = 1 << 14

// parallel runs f(0), ..., f(tasks-1) on the processors that Go may use. Each
// task writes its own results and sums in its own order, so the number of processors never
// affects a result.
func parallel(tasks int, f func(task int)) {
	workers := min(runtime.GOMAXPROCS(0), tasks)
	if workers <= 1 {
		for i := range tasks {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var group errgroup.Group
	work := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = &workerPanic{r, debug.Stack()}
			}
		}()
		for {
			i := int(next.Add(1)) - 1
			if i >= tasks {
				return nil
			}
			f(i)
		}
	}
	for range workers - 1 {
		group.Go(work)
	}
	// The caller works too, so that no work waits for other threads to wake up.
	err := work()
	if other := group.Wait(); err == nil {
		err = other
	}
	if err != nil {
		panic(err) // again, on the goroutine that recovers it
	}
}

type workerPanic struct {
	value any
	stack []byte
}

func (p *workerPanic) Error() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

// chunks runs f over ranges that partition [0, n).
func chunks(n int, f func(lo, hi int)) { chunksOf(n, grain, f) }

// chunksOf is like chunks with ranges of a given size, for work that is not one step
// per element.
func chunksOf(n, size int, f func(lo, hi int)) {
	if size = max(size, 1); n > size {
		divided(n, size, f)
	} else if n > 0 {
		f(0, n)
	}
}

// divided is separate from chunksOf, which allocates nothing for small sizes.
func divided(n, size int, f func(lo, hi int)) {
	parallel((n+size-1)/size, func(i int) { f(i*size, min((i+1)*size, n)) })
}
