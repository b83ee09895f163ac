package bert

import (
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ParityCases are the calls on which a compiled model is compared with the
// reference: one text, several of different lengths, and the shortest possible one.
func ParityCases(c *contract.Contract) ([]parity.Case, error) {
	if _, err := c.Entry("embed"); err != nil {
		return nil, err
	}
	call := func(lengths ...int) parity.Call {
		longest := 0
		for _, n := range lengths {
			longest = max(longest, n)
		}
		var ids, mask []int32
		for k, n := range lengths {
			for i := range longest {
				id, real := int32((k*7919+i*104729)%1000), int32(0)
				if i < n {
					real = 1
				}
				ids, mask = append(ids, id), append(mask, real)
			}
		}
		a, _ := tensor.Of(ids, int64(len(lengths)), int64(longest)) // the sizes match the data
		b, _ := tensor.Of(mask, int64(len(lengths)), int64(longest))
		return parity.Call{Entry: "embed", Args: []tensor.Value{a, b}}
	}
	return []parity.Case{{Name: "embed", Calls: []parity.Call{call(10), call(3, 17, 8), call(1), call(64, 2)}}}, nil
}

// CutCases are those for a cut: one text, and three of different lengths.
func CutCases(c *contract.Contract) ([]parity.Case, error) {
	all, err := ParityCases(c)
	if err != nil {
		return nil, err
	}
	all[0].Calls = all[0].Calls[:2]
	return all, nil
}
