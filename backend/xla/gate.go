package xla

import "context"

// gate is a mutex that a caller can stop waiting for.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

// enter waits for the gate, or until ctx is over. It returns the error of a ctx that was over
// before.
func (g gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait is enter without end.
func (g gate) wait() { g <- struct{}{} }

func (g gate) leave() { <-g }
