package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/devices"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
)

func newDevicesCommand() *cobra.Command {
	var f struct {
		json        bool
		run         devices.Options
		plugin, out string
	}
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "Show the devices that programs can run on here",
		Long: `Devices shows the processor with the instructions that programs may use, the
drivers of IREE's runtime, which is the library or else the tool iree-run-module, with
whether they find a device, and for each target what its programs need and what of it is
missing here; and the devices of XLA's plugin, if one is named or found. The default target
is that of run, parity and compile where --target names none. Nothing is fetched. Whether a
device runs the code of a target that names its kind shows when a program is loaded.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := devices.Of(cmd.Context(), f.run)
			if err != nil {
				return err
			}
			chosen, err := openfile.Target("cpu", processor.Here())
			if err != nil {
				return err
			}
			x, err := xla.Devices(f.plugin)
			if err != nil {
				return err
			}
			data := append(devicesTable(r, chosen), pluginTable(x)...)
			if f.json {
				all := struct {
					*devices.Report
					Default string      `json:"default"` // target
					XLA     *xla.Report `json:"xla"`
				}{r, chosen, x}
				if data, err = display.JSON(all); err != nil {
					return err
				}
			}
			return command.Emit(cmd, f.out, data)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON instead of tables")
	command.FlagLibrary.Text(cmd, &f.run.Library, "")
	command.FlagTool.Text(cmd, &f.run.Tool, "")
	openfile.CacheFlag(cmd, &f.run.Folder)
	command.FlagPlugin.Text(cmd, &f.plugin, "")
	command.FlagOutput.Text(cmd, &f.out, "")
	return cmd
}

func devicesTable(r *devices.Report, chosen string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "processor: %s\n", strings.TrimSpace(r.Processor+" "+strings.Join(r.Instructions, " ")))
	if at := cmp.Or(r.Library, r.Tool); at != "" {
		fmt.Fprintf(&b, "runtime: %s\n", display.Printable(at))
	} else {
		fmt.Fprintf(&b, "runtime: none: %s\n", display.Printable(r.Missing))
	}
	if len(r.Drivers) > 0 {
		b.WriteByte('\n')
	}
	display.Grid(&b, []string{"DRIVER", "DEVICE", "MISSING"}, func(row func(cells ...string)) {
		for _, d := range r.Drivers {
			row(d.Name, yes(d.Device), display.Printable(d.Missing))
		}
	})
	b.WriteByte('\n')
	display.Grid(&b, []string{"TARGET", "DRIVER", "HERE", "MISSING", "NEEDS"}, func(row func(cells ...string)) {
		for _, t := range r.Targets {
			here := yes(t.Here)
			if t.Name == chosen {
				here += ", default"
			}
			row(t.Name, t.Driver, here, display.Printable(t.Why), t.Needs)
		}
	})
	return b.Bytes()
}

func pluginTable(r *xla.Report) []byte {
	var b bytes.Buffer
	if r.Plugin == "" {
		fmt.Fprintf(&b, "\nplugin of XLA: none: %s\n", display.Printable(r.Missing))
		return b.Bytes()
	}
	fmt.Fprintf(&b, "\nplugin of XLA: %s, version %s of the API\n", display.Printable(r.Plugin), display.Printable(r.API))
	if r.Missing != "" {
		fmt.Fprintf(&b, "no device: %s\n", display.Printable(r.Missing))
		return b.Bytes()
	}
	b.WriteByte('\n')
	display.Grid(&b, []string{"DEVICE OF XLA", "KIND", "MEMORY", "ATTRIBUTES"}, func(row func(cells ...string)) {
		for _, d := range r.Devices {
			memory := "-"
			if d.Memory > 0 {
				memory = rough(d.Memory)
			}
			row(display.Printable(d.Name), display.Printable(d.Kind), memory, display.Printable(strings.Join(d.Attributes, " ")))
		}
	})
	return b.Bytes()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
