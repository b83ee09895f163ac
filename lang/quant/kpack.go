package quant

// Packers of the K types and of IQ4; a row whose packer is nil can be read only.
var packQ2K, packQ3K, packQ4K, packQ5K, packQ6K, packIQ4NL, packIQ4XS func(dst []byte, src []float32) error
