// Package id has a typed constant for each operation of the table in compile/op, so that
// Go code does not refer to operations by strings, which typos and renames can break.
//
// # Errors
//
// Of returns Unknown for an unknown name.
//
// # Determinism
//
// The numbers follow the order of the names and change when operations are added, so they are not
// stored in any document.
package id

// ID is the number of an operation.
type ID uint16

// Unknown is not an operation.
const Unknown ID = 0

var byName = func() map[string]ID {
	m := make(map[string]ID, len(names))
	for i, name := range names {
		if i > 0 {
			m[name] = ID(i)
		}
	}
	return m
}()

// Of returns the ID of a name, or Unknown.
func Of(name string) ID { return byName[name] }

// String returns the name of the operation.
func (i ID) String() string {
	if int(i) < len(names) {
		return names[i]
	}
	return names[Unknown]
}

// Count is one more than the greatest ID.
func Count() int { return len(names) }
