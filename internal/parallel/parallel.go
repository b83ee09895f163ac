// Package parallel runs jobs in parallel whose inputs are read, and whose
// results are returned, in one order: the chunks of a stream.
//
// # Errors
//
// Next returns the error of the first job in order that failed; jobs after it
// are not returned.
//
// # Determinism
//
// Jobs are read and returned in the order of their numbers, whatever the number of
// workers; their scheduling is not visible.
package parallel

import "runtime"

// Pipe is a running pipeline over states of type T. A Pipe that is no longer
// asked for jobs ends by itself when those that run are done: it needs no Close
// and leaves no goroutine.
type Pipe[T any] struct {
	jobs    []*job[T]
	n       int64 // jobs in all
	workers int64
	read    func(i int64, state T) error
	work    func(i int64, state T) error

	started int64         // jobs started
	given   int64         // jobs returned by Next
	turn    chan struct{} // closed when the job started last has read its input
	broken  bool          // a read failed; guarded by the turns
	err     error
}

// job is a slot for one job at a time.
type job[T any] struct {
	state T
	done  chan error // buffered, so that a job nobody waits for ends
}

// New makes a pipeline of n jobs with at most workers of them running at a time; less
// than 1 means one per core. Each has a state of its own, made by state and reused for
// later jobs: workers+1 states in all. read is called for job 0, 1, ..., one after the
// other; work is called afterwards, concurrently with the others.
func New[T any](workers int, n int64, state func() T, read, work func(i int64, state T) error) *Pipe[T] {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pipe[T]{n: n, workers: int64(workers), read: read, work: work, turn: make(chan struct{})}
	close(p.turn)
	for range min(p.workers+1, n) {
		p.jobs = append(p.jobs, &job[T]{state: state(), done: make(chan error, 1)})
	}
	return p
}

// Next returns the state of the next job, when its work is done; it is valid
// until the next call. ok is false after the last job, and with an error.
func (p *Pipe[T]) Next() (state T, ok bool, err error) {
	if p.err != nil || p.given == p.n {
		return state, false, p.err
	}
	if p.started == 0 {
		for range min(p.workers, p.n) {
			p.start()
		}
	}
	j := p.jobs[p.given%int64(len(p.jobs))]
	p.given++
	if p.err = <-j.done; p.err != nil {
		return state, false, p.err
	}
	// The slot that the caller has just returned is busy while the caller holds this
	// one.
	if p.started < p.n && p.started-p.given < p.workers {
		p.start()
	}
	return j.state, true, nil
}

// start runs the next job in the slot that was returned longest ago.
func (p *Pipe[T]) start() {
	i := p.started
	j := p.jobs[i%int64(len(p.jobs))]
	before, after := p.turn, make(chan struct{})
	p.started++
	p.turn = after
	go func() {
		<-before
		if p.broken {
			close(after)
			return // an earlier job has the error
		}
		err := p.read(i, j.state)
		p.broken = err != nil
		close(after)
		if err == nil {
			err = p.work(i, j.state)
		}
		j.done <- err
	}()
}
