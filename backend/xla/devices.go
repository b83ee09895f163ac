package xla

import (
	"strconv"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
)

// Report is what a plugin has on this machine.
type Report struct {
	Plugin   string         `json:"plugin"`   // its path, "" where there is none
	Missing  string         `json:"missing"`  // why there is none, or what it fails with
	API      string         `json:"api"`      // version of the PJRT C API
	Platform string         `json:"platform"` // such as cpu or cuda
	Devices  []DeviceReport `json:"devices"`
}

// DeviceReport is a device of a plugin.
type DeviceReport struct {
	Name       string   `json:"name"` // as Options.Device has it, such as cuda:1
	Kind       string   `json:"kind"`
	Memory     int64    `json:"memory"`     // in bytes; 0 where the plugin does not tell it
	Attributes []string `json:"attributes"` // NAME=VALUE, as the plugin gives them
}

// Devices returns what the plugin at path has here; "" is the one that FindPlugin finds, and that
// there is none is no error then. It loads the plugin and opens its devices in this process.
func Devices(path string) (*Report, error) {
	r := &Report{Devices: []DeviceReport{}}
	named := path != ""
	err := r.of(path)
	if err != nil && !named {
		r.Missing, err = err.Error(), nil
	}
	return r, err
}

func (r *Report) of(path string) (err error) {
	if path == "" {
		if path, err = FindPlugin(""); err != nil {
			return err
		}
	}
	plugin, err := pjrt.Load(path, pjrt.Options{})
	if err != nil {
		return err
	}
	r.Plugin, r.API = plugin.Path(), plugin.Version()
	options := map[string]any{}
	if cpuPlugin(plugin, "") { // otherwise it has as many virtual devices as it likes
		options[pjrt.DeviceCount] = int64(1)
	}
	client, err := plugin.NewClient(options)
	if err != nil {
		return err
	}
	defer client.Close()
	r.Platform = client.Platform()
	for i, d := range client.Devices() {
		one := DeviceReport{Name: r.Platform + ":" + strconv.Itoa(i), Kind: d.Kind, Attributes: []string{}}
		if m, err := d.Memory(); err == nil {
			one.Memory = m.Limit
		}
		for _, a := range d.Attributes {
			one.Attributes = append(one.Attributes, a.String())
		}
		r.Devices = append(r.Devices, one)
	}
	return nil
}
