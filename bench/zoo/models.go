package main

import "github.com/skainet-dev/skainet-go/backend/program"

// The programs of the models, each with its file for ONNX Runtime and recorded arguments;
// the BUILD file sets them.
var sileroParts, magikaParts, bgeParts, e5Parts, angleParts, detectParts, readParts, efficientnetParts, nanodetParts, gtcrnParts program.Parts

// Where the peer is among the runfiles; empty in a target without it.
var python, contestantScript string

// model is a row of the table.
type model struct {
	name  string
	about string // what a call sees
	calls int    // in a turn: so many as take some tenths of a second
	parts *program.Parts
}

var models = []model{
	{"silero", "32 ms of speech", 200, &sileroParts},
	{"gtcrn", "a spectrum of 32 ms", 100, &gtcrnParts},
	{"magika", "2048 bytes", 10, &magikaParts},
	{"bge-small int8", "3 sentences of 8 to 10 tokens", 5, &bgeParts},
	{"e5-small int8", "3 sentences of 10 to 12 tokens", 5, &e5Parts},
	{"pp-ocr angle", "48 x 192 pixels", 20, &angleParts},
	{"pp-ocr detect", "128 x 320 pixels", 10, &detectParts},
	{"pp-ocr read", "48 x 352 pixels", 5, &readParts},
	{"efficientnet-lite0", "224 x 224 pixels", 10, &efficientnetParts},
	{"nanodet", "416 x 416 pixels", 3, &nanodetParts},
}
