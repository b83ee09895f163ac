package pjrt

import "unsafe"

// The layout of the PJRT C API: xla/pjrt/c/pjrt_c_api.h of OpenXLA, as of version 0.81.
// The table of functions and the structs only ever grow at their ends, so that these
// layouts hold for later versions: a call tells the size of its struct.

// slot is the place of a function in the table.
type slot int

// The functions that are called.
const (
	errorDestroy        slot = 0
	errorMessage        slot = 1
	errorCode           slot = 2
	pluginInitialize    slot = 3
	pluginAttributes    slot = 4
	eventDestroy        slot = 5
	eventIsReady        slot = 6
	eventAwait          slot = 8
	clientCreate        slot = 10
	clientDestroy       slot = 11
	clientPlatformName  slot = 12
	clientVersion       slot = 14
	clientDevices       slot = 16 // addressable ones
	clientCompile       slot = 20
	bufferFromHost      slot = 22
	deviceID            slot = 23
	deviceAttributes    slot = 25
	deviceKind          slot = 26
	deviceDescription   slot = 29
	deviceMemory        slot = 34
	executableDestroy   slot = 40
	executableOutputs   slot = 44
	executableOptimized slot = 48
	executableSerialize slot = 49
	loadedDestroy       slot = 50
	loadedExecutable    slot = 51
	loadedExecute       slot = 55
	executableLoad      slot = 56
	bufferDestroy       slot = 58
	bufferElement       slot = 59
	bufferDimensions    slot = 60
	bufferIsDeleted     slot = 68
	bufferToHost        slot = 70
	bufferPointer       slot = 73
	executableMemory    slot = 96

	lastSlot = executableMemory
)

// head begins every struct of arguments.
type head struct {
	size      uintptr
	extension unsafe.Pointer
}

// table is PJRT_Api up to its functions.
type table struct {
	head
	version struct {
		head
		major, minor int32
	}
}

// functionsAt is where the functions begin.
const functionsAt = unsafe.Sizeof(table{})

// needed is how long the table must be.
const needed = functionsAt + (uintptr(lastSlot)+1)*unsafe.Sizeof(uintptr(0))

type (
	errorArgs struct {
		head
		err uintptr
	}
	messageArgs struct {
		head
		err  uintptr
		text *byte
		n    uintptr
	}
	codeArgs struct {
		head
		err  uintptr
		code int32
	}
	// handleArgs are the arguments of functions that take a handle alone, and those
	// that return a pointer or a number for it.
	handleArgs struct {
		head
		of uintptr
	}
	numberArgs struct {
		head
		of, out uintptr
	}
	// listArgs return a list or a text of a handle.
	listArgs struct {
		head
		of   uintptr
		data unsafe.Pointer
		n    uintptr
	}
	// countedArgs are listArgs in the other order.
	countedArgs struct {
		head
		of   uintptr
		n    uintptr
		data unsafe.Pointer
	}
	pluginArgs struct {
		head
		data unsafe.Pointer
		n    uintptr
	}
	smallArgs struct { // an enumeration, an int or a bool of a handle
		head
		of  uintptr
		out int32
		_   int32
	}
	namedValue struct {
		head
		name *byte
		n    uintptr
		kind int32
		_    int32
		val  uint64 // a number, or the address of a text or a list
		size uintptr
	}
	createArgs struct {
		head
		options *namedValue
		n       uintptr
		_       [4]uintptr // how processes of one program find each other
		client  uintptr
		_       [2]uintptr
	}
	program struct {
		head
		code   *byte
		n      uintptr
		format *byte
		nf     uintptr
	}
	compileArgs struct {
		head
		client     uintptr
		program    *program
		options    *byte
		n          uintptr
		executable uintptr
	}
	fromHostArgs struct {
		head
		client    uintptr
		data      unsafe.Pointer
		element   int32
		_         int32
		dims      *int64
		rank      uintptr
		_         [2]uintptr // strides
		semantics int32
		_         int32
		device    uintptr
		_         [2]uintptr // memory, layout
		done      uintptr
		buffer    uintptr
	}
	toHostArgs struct {
		head
		buffer uintptr
		_      uintptr // layout
		to     unsafe.Pointer
		n      uintptr
		done   uintptr
	}
	optimizedArgs struct {
		head
		executable uintptr
		program    *program
	}
	serializeArgs struct {
		head
		executable uintptr
		data       *byte
		n          uintptr
		owner      uintptr
		free       uintptr
	}
	loadArgs struct {
		head
		client     uintptr
		data       *byte
		n          uintptr
		executable uintptr
		options    *byte // in place of those it was compiled with
		optionsN   uintptr
	}
	executeOptions struct {
		head
		_ [4]uintptr // callbacks of sends and receives
		_ [8]uintptr // a number of the run, arguments that are not donated, and more
	}
	executeArgs struct {
		head
		executable uintptr
		options    *executeOptions
		args       **uintptr // of each device, its arguments
		devices    uintptr
		n          uintptr
		results    **uintptr
		done       *uintptr // of each device, an event
		device     uintptr
	}
	memoryArgs struct {
		head
		executable uintptr
		code       int64
		args       int64
		results    int64
		aliased    int64
		temporary  int64
		_          [5]int64 // of the host
		peak       int64
	}
	deviceMemoryArgs struct {
		head
		device   uintptr
		used     int64
		peak     int64
		hasPeak  int64 // a bool in the low byte
		_        [4]int64
		limit    int64
		hasLimit int64
		_        [12]int64
	}
)
