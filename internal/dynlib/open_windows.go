package dynlib

import "golang.org/x/sys/windows"

// Open loads the library at path.
func Open(path string) (uintptr, error) {
	handle, err := windows.LoadLibrary(path)
	return uintptr(handle), err
}

// Symbol returns the address of a function of the library.
func Symbol(library uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(library), name)
}
