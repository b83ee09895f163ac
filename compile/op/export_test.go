package op

// Forget undoes all registrations, for tests of those that fail.
func Forget() { registered = &registry{rows: map[string]*Op{}} }
