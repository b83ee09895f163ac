package quant

var packQ4_0, packQ4_1, packQ5_0, packQ5_1, packQ8_0, packTQ1_0, packTQ2_0, packMXFP4 func(dst []byte, src []float32) error
