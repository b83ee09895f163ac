// Package id has a typed constant for each operation of the table in compile/op, so
// that Go code names none by a string that a typo or a renaming leaves behind.
//
// # Errors
//
// Of returns Unknown for a name that no operation has.
//
// # Determinism
//
// The numbers follow the order of the names and change when operations are added: no
// document has them.
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
