package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/devices"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
)

func newDevicesCommand() *cobra.Command {
	var f struct {
		json         bool
		library, out string
	}
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "Show the devices that programs can run on here",
		Long: `Devices shows the processor with the instructions that programs may use, the
drivers of the runtime library with whether they find a device, and for each
target what its programs need and what of it is missing here. Whether a device
runs the code of a target that names its kind shows when a program is loaded.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := devices.Of(f.library)
			if err != nil {
				return err
			}
			data := devicesTable(r)
			if f.json {
				if data, err = display.JSON(r); err != nil {
					return err
				}
			}
			return command.Emit(cmd, f.out, data)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON instead of tables")
	command.FlagLibrary.Text(cmd, &f.library, "")
	command.FlagOutput.Text(cmd, &f.out, "")
	return cmd
}

func devicesTable(r *devices.Report) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "processor: %s\n", strings.TrimSpace(r.Processor+" "+strings.Join(r.Instructions, " ")))
	if r.Library != "" {
		fmt.Fprintf(&b, "runtime: %s\n", display.Printable(r.Library))
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
			row(t.Name, t.Driver, yes(t.Here), display.Printable(t.Why), t.Needs)
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
