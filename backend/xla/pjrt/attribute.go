package pjrt

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Attribute is a named value of a plugin or a device: a string, an int64, a float32, a
// bool or a []int64.
type Attribute struct {
	Name  string
	Value any
}

// String returns "name=value".
func (a Attribute) String() string {
	if list, ok := a.Value.([]int64); ok {
		return a.Name + "=" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", "."), "[]")
	}
	return fmt.Sprintf("%s=%v", a.Name, a.Value)
}

// The kinds of PJRT_NamedValue.
const (
	kindString = iota
	kindInt64
	kindList
	kindFloat
	kindBool
)

// attributesAt reads a list of named values. One whose kind is unknown is left out.
func attributesAt(at unsafe.Pointer, n uintptr) []Attribute {
	if at == nil {
		return nil
	}
	var out []Attribute
	for range n {
		v := (*namedValue)(at)
		a := Attribute{Name: textAt(unsafe.Pointer(v.name), v.n)}
		where := *(*unsafe.Pointer)(unsafe.Pointer(&v.val))
		switch v.kind {
		case kindString:
			a.Value = textAt(where, v.size)
		case kindInt64:
			a.Value = int64(v.val)
		case kindList:
			list := []int64{}
			if where != nil {
				list = append(list, unsafe.Slice((*int64)(where), v.size)...)
			}
			a.Value = list
		case kindFloat:
			a.Value = math.Float32frombits(uint32(v.val))
		case kindBool:
			a.Value = v.val&0xff != 0
		}
		if a.Value != nil {
			out = append(out, a)
		}
		at = unsafe.Add(at, v.head.size) // a later version may have more in each
	}
	return out
}

func (p *Plugin) attributes() ([]Attribute, error) {
	x := &pluginArgs{head: head{size: unsafe.Sizeof(pluginArgs{})}}
	err := p.call(pluginAttributes, unsafe.Pointer(x))
	return attributesAt(x.data, x.n), err
}
