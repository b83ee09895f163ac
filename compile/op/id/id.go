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

import (
	"slices"
	"sync"
)

// ID is the number of an operation.
type ID uint16

// Unknown is not an operation.
const Unknown ID = 0

// added are the names of operations of other packages, whose IDs follow those of the table.
var added struct {
	sync.RWMutex
	names []string
}

// Assign returns the ID of an operation that is not in the table (op.Register), a new one
// for a new name.
func Assign(name string) ID {
	added.Lock()
	defer added.Unlock()
	at := slices.Index(added.names, name)
	if at < 0 {
		at = len(added.names)
		added.names = append(added.names, name)
	}
	return ID(Count() + at)
}

var byName = func() map[string]ID {
	m := make(map[string]ID, len(names))
	for i, name := range names {
		if i > 0 {
			m[name] = ID(i)
		}
	}
	return m
}()

// Of returns the ID of a name of the table, or Unknown.
func Of(name string) ID { return byName[name] }

// String returns the name of the operation.
func (i ID) String() string {
	if int(i) < len(names) {
		return names[i]
	}
	added.RLock()
	defer added.RUnlock()
	if at := int(i) - len(names); at < len(added.names) {
		return added.names[at]
	}
	return names[Unknown]
}

// Count is one more than the greatest ID of the table.
func Count() int { return len(names) }
