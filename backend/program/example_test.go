package program_test

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
)

// A binary whose parts are not where the build put them.
func Example() {
	parts := program.Parts{ // a rule writes this
		Programs: []program.Compiled{{Target: "vulkan", Device: "vulkan", File: "_main/affine_vmfb_vulkan.vmfb"}},
		Contract: "_main/affine.contract.json",
	}
	_, err := parts.Open(program.Options{Device: "vulkan"})
	switch errs.CodeOf(err) {
	case program.CodeRunfiles:
		fmt.Println("copy the whole folder")
	case program.CodeDevice:
		fmt.Println("take another device")
	}
	_, err = parts.Open(program.Options{Device: "cuda"})
	fmt.Println(errs.CodeOf(err))
	// Output:
	// copy the whole folder
	// LAUNCH_DEVICE
}
