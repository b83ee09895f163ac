package main

import "github.com/skainet-dev/skainet-go/backend/program"

// The programs of the models, each with its file for ONNX Runtime and recorded arguments;
// the BUILD file sets them.
var sileroParts, magikaParts, bgeParts, bgePlainParts, e5Parts, e5PlainParts, angleParts, detectParts, readParts, efficientnetParts, nanodetParts, gtcrnParts, piperParts program.Parts

// Where the peer is among the runfiles; empty in a target without it.
var python, contestantScript string

// model is a row of the table.
type model struct {
	name  string
	about string // what a call sees
	calls int    // in a turn: so many as take some tenths of a second
	parts *program.Parts
	does  task // what a call is
}

var models = []model{
	{"silero", "32 ms of speech", 200, &sileroParts, recorded{}},
	{"gtcrn", "a spectrum of 32 ms", 100, &gtcrnParts, recorded{}},
	{"magika", "2048 bytes", 10, &magikaParts, recorded{}},
	{"bge-small int8", "3 sentences of 8 to 10 tokens", 5, &bgeParts, recorded{}},
	{"bge-small f32", "3 sentences of 8 to 10 tokens", 5, &bgePlainParts, dequantized{}},
	{"e5-small int8", "3 sentences of 10 to 12 tokens", 5, &e5Parts, recorded{}},
	{"e5-small f32", "3 sentences of 10 to 12 tokens", 5, &e5PlainParts, dequantized{}},
	{"pp-ocr angle", "48 x 192 pixels", 20, &angleParts, recorded{}},
	{"pp-ocr detect", "128 x 320 pixels", 10, &detectParts, recorded{}},
	{"pp-ocr read", "48 x 352 pixels", 5, &readParts, recorded{}},
	{"efficientnet-lite0", "224 x 224 pixels", 10, &efficientnetParts, recorded{}},
	{"nanodet", "416 x 416 pixels", 3, &nanodetParts, recorded{}},
	{"piper", "1.1 s of speech", 3, &piperParts, speech{}},
}
