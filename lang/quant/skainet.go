package quant

// SKaiNET's own encodings.
var skainetBlocks []Block
