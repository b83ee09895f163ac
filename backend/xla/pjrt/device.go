package pjrt

import (
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
)

// Device is a device of a client.
type Device struct {
	ID         int
	Kind       string // such as "cpu" or "NVIDIA H200"
	Attributes []Attribute

	client *Client
	handle uintptr
}

func (c *Client) device(handle uintptr) (Device, error) {
	p := c.plugin
	d := Device{client: c, handle: handle}
	description, err := p.number(deviceDescription, handle)
	if err != nil {
		return d, err
	}
	id, err := p.small(deviceID, description)
	if err != nil {
		return d, err
	}
	if d.Kind, err = p.text(deviceKind, description); err != nil {
		return d, err
	}
	d.ID = int(id)
	x := &countedArgs{head: head{size: unsafe.Sizeof(countedArgs{})}, of: description}
	if err := p.call(deviceAttributes, unsafe.Pointer(x)); err != nil {
		return d, err
	}
	d.Attributes = attributesAt(x.data, x.n)
	return d, nil
}

// DeviceMemory is the memory of a device, in bytes; 0 is a number that the plugin does not
// tell.
type DeviceMemory struct{ Used, Peak, Limit int64 }

// Memory returns what the device's memory holds. Plugins for CPUs do not tell it: XLA_DEVICE.
func (d Device) Memory() (DeviceMemory, error) {
	done, err := d.client.use()
	if err != nil {
		return DeviceMemory{}, err
	}
	defer done()
	x := &deviceMemoryArgs{head: head{size: unsafe.Sizeof(deviceMemoryArgs{})}, device: d.handle}
	if err := d.client.plugin.call(deviceMemory, unsafe.Pointer(x)); err != nil {
		return DeviceMemory{}, errs.Wrap(CodeDevice, err, "the plugin does not tell the memory of device %d", d.ID)
	}
	m := DeviceMemory{Used: x.used}
	if x.hasPeak&0xff != 0 {
		m.Peak = x.peak
	}
	if x.hasLimit&0xff != 0 {
		m.Limit = x.limit
	}
	return m, nil
}
