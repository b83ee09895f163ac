package op

import "slices"

// compositeOps are the families that hold only composite operations.
var compositeOps = slices.Concat(poolOps, attentionOps, recurrentOps, resizeOps, rearrangeOps, quantizeOps, unfoldOps, integerPowerOps)
