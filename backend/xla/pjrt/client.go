package pjrt

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
)

// Client is the devices of a plugin, with what was made on them. Its methods may be called
// from several goroutines.
type Client struct {
	plugin   *Plugin
	platform string
	version  string
	devices  []Device

	mu     sync.RWMutex // held for reading by calls, for writing by Close
	client uintptr      // 0 after Close
	owned  owned
}

// owned are the handles that the client frees when it is closed, by numbers of their own: an
// address may be used again for another handle.
type owned struct {
	mu   sync.Mutex
	next ticket
	free map[ticket]handle
}

// ticket is the number of a handle.
type ticket uint64

// handle is an object of the plugin, and the function that frees it.
type handle struct {
	at   uintptr
	free slot
}

// DeviceCount is the option of CPU plugins that sets the number of virtual devices.
const DeviceCount = "cpu_device_count"

// NewClient opens the devices of the plugin. Options are those of the plugin, int64,
// string or bool: a CPU plugin has DeviceCount, of which there are four if it is not given.
func (p *Plugin) NewClient(options map[string]any) (*Client, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	values := make([]namedValue, 0, len(options)+1)
	for _, name := range slices.Sorted(maps.Keys(options)) {
		v, err := namedOf(name, options[name], &pin)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	x := &createArgs{head: head{size: unsafe.Sizeof(createArgs{})}, n: uintptr(len(values))}
	if len(values) > 0 {
		x.options = &values[0]
		pin.Pin(x.options)
	}
	if err := p.call(clientCreate, unsafe.Pointer(x)); err != nil {
		return nil, failed(CodeDevice, err, "the plugin opens no devices").In(p.path).
			Hint("the device and its driver must be on this machine; without one use --target=xla_cpu, or --backend=cpu")
	}
	c := &Client{plugin: p, client: x.client, owned: owned{free: map[ticket]handle{}}}
	if err := c.describe(); err != nil {
		c.Close()
		return nil, errs.Wrap(CodeDevice, err, "the plugin does not describe its devices").In(p.path)
	}
	return c, nil
}

// maxDevices is how many devices of one process a plugin is asked for at most.
const maxDevices = 4096

func namedOf(name string, value any, pin *runtime.Pinner) (namedValue, error) {
	v := namedValue{head: head{size: unsafe.Sizeof(namedValue{})}, name: unsafe.StringData(name), n: uintptr(len(name)), size: 1}
	if _, number := value.(int64); name == "" || name == DeviceCount && !number {
		// Some plugins end the process for an option of another type.
		return v, errs.New(CodeDevice, "the option %q is a %T; %s is an int64", name, value, DeviceCount)
	}
	if n, _ := value.(int64); name == DeviceCount && (n < 1 || n > maxDevices) {
		return v, errs.New(CodeDevice, "the option %s is %d; it must be 1 to %d", name, n, maxDevices)
	}
	pin.Pin(v.name)
	switch x := value.(type) {
	case int64:
		v.kind, v.val = kindInt64, uint64(x)
	case bool:
		if v.kind = kindBool; x {
			v.val = 1
		}
	case string:
		v.kind, v.size = kindString, uintptr(len(x))
		if x != "" {
			pin.Pin(unsafe.StringData(x))
			v.val = uint64(uintptr(unsafe.Pointer(unsafe.StringData(x))))
		}
	default:
		return v, errs.New(CodeDevice, "the option %s is a %T; it must be an int64, a bool or a string", name, value)
	}
	return v, nil
}

func (c *Client) describe() (err error) {
	p := c.plugin
	if c.platform, err = p.text(clientPlatformName, c.client); err != nil {
		return err
	}
	if c.version, err = p.text(clientVersion, c.client); err != nil {
		return err
	}
	at, n, err := p.list(clientDevices, c.client)
	if err != nil {
		return err
	}
	for _, handle := range unsafe.Slice((*uintptr)(at), n) {
		d, err := c.device(handle)
		if err != nil {
			return err
		}
		c.devices = append(c.devices, d)
	}
	return nil
}

// Plugin returns the plugin.
func (c *Client) Plugin() *Plugin { return c.plugin }

// Platform returns the kind of the devices: cpu, cuda, rocm, tpu.
func (c *Client) Platform() string { return c.platform }

// Version returns the plugin's version of the platform, a text for people.
func (c *Client) Version() string { return c.version }

// Devices returns the devices that programs can run on.
func (c *Client) Devices() []Device { return c.devices }

// Close frees buffers and executables that were not closed, and the client. Closing again
// does nothing. It waits for calls that are made at the same time.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == 0 {
		return nil
	}
	c.owned.mu.Lock()
	defer c.owned.mu.Unlock()
	var first error
	for _, t := range slices.Sorted(maps.Keys(c.owned.free)) {
		h := c.owned.free[t]
		if h.free == eventDestroy { // a run that nobody waited for
			_ = c.plugin.of(eventAwait, h.at)
		}
		if err := c.plugin.of(h.free, h.at); err != nil && first == nil {
			first = err
		}
	}
	clear(c.owned.free)
	if err := c.plugin.of(clientDestroy, c.client); err != nil && first == nil {
		first = err
	}
	c.client = 0
	if first != nil {
		return errs.Wrap(CodeCall, first, "the client was not closed cleanly").In(c.plugin.path)
	}
	return nil
}

// use begins a call, and done ends it.
func (c *Client) use() (done func(), err error) {
	c.mu.RLock()
	if c.client == 0 {
		c.mu.RUnlock()
		return nil, errs.New(CodeClosed, "the client was closed").Hint("open the program again")
	}
	return c.mu.RUnlock, nil
}

// own makes the client free a handle when it is closed, if nothing else did before.
func (c *Client) own(at uintptr, free slot) ticket {
	c.owned.mu.Lock()
	defer c.owned.mu.Unlock()
	c.owned.next++
	c.owned.free[c.owned.next] = handle{at, free}
	return c.owned.next
}

// owns reports whether a handle was not freed.
func (c *Client) owns(t ticket) bool {
	c.owned.mu.Lock()
	defer c.owned.mu.Unlock()
	_, mine := c.owned.free[t]
	return mine
}

// disown makes the caller the one that frees a handle, unless that was done.
func (c *Client) disown(t ticket) (h handle, mine bool) {
	c.owned.mu.Lock()
	defer c.owned.mu.Unlock()
	h, mine = c.owned.free[t]
	delete(c.owned.free, t)
	return h, mine
}

// release frees a handle unless that was done.
func (c *Client) release(t ticket) error {
	done, err := c.use()
	if err != nil {
		return nil // Close freed it
	}
	defer done()
	h, mine := c.disown(t)
	if !mine {
		return nil
	}
	if err := c.plugin.of(h.free, h.at); err != nil {
		return errs.Wrap(CodeCall, err, "a value was not freed")
	}
	return nil
}

// Live returns how many buffers, executables and runs there are that nobody freed.
func (c *Client) Live() int {
	c.owned.mu.Lock()
	defer c.owned.mu.Unlock()
	return len(c.owned.free)
}
