package errs

// Faults gathers what is wrong with an input. The zero value stops at the first
// fault, as a reader that must not go on does; Gather makes one that goes on, as
// a check does that lists every fault.
type Faults struct {
	list   []error
	gather bool
	limit  int
}

// Gather makes a list that goes on after a fault, up to limit of them.
func Gather(limit int) *Faults { return &Faults{gather: true, limit: limit} }

// Add records err and returns nil where the caller may go on, else err. A nil err
// is not a fault. A fault after which nothing can be read is to be returned
// whatever Add says, after it was added:
//
//	f.Add(err)
//	return err
func (f *Faults) Add(err error) error {
	if err == nil {
		return nil
	}
	f.list = append(f.list, err)
	if f.gather && len(f.list) < f.limit {
		return nil
	}
	return err
}

// List returns the faults in the order in which they were found.
func (f *Faults) List() []error { return f.list }
