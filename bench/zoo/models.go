package main

import "github.com/skainet-dev/skainet-go/backend/program"

// The programs of the models, each with its file for ONNX Runtime and recorded arguments;
// the BUILD file sets them.
var sileroParts, magikaParts, bgeParts, bgePlainParts, e5Parts, e5PlainParts, angleParts, detectParts, readParts, efficientnetParts, nanodetParts, gtcrnParts, kokoroParts, piperParts program.Parts

// Where the peers are among the runfiles; empty in a target without them.
var python, contestantScript, openvinoScript, exactScript string

// model is a row of the table.
type model struct {
	name  string
	about string // what a call sees
	calls int    // in a turn: so many as take some tenths of a second
	parts *program.Parts
	does  task // what a call is
	// unread names the peers that do not read the file.
	unread []string
}

// noRank: in a branch of an If that is never taken, a value's rank is not known to OpenVINO.
var noRank = []string{"openvino"}

var models = []model{
	{"silero", "32 ms of speech", 200, &sileroParts, recorded{}, noRank},
	{"gtcrn", "a spectrum of 32 ms", 100, &gtcrnParts, recorded{}, nil},
	{"magika", "2048 bytes", 10, &magikaParts, recorded{}, nil},
	{"bge-small int8", "3 sentences of 8 to 10 tokens", 5, &bgeParts, recorded{}, nil},
	{"bge-small f32", "3 sentences of 8 to 10 tokens", 5, &bgePlainParts, dequantized{}, nil},
	{"e5-small int8", "3 sentences of 10 to 12 tokens", 5, &e5Parts, recorded{}, nil},
	{"e5-small f32", "3 sentences of 10 to 12 tokens", 5, &e5PlainParts, dequantized{}, nil},
	{"pp-ocr angle", "48 x 192 pixels", 20, &angleParts, recorded{}, nil},
	{"pp-ocr detect", "128 x 320 pixels", 10, &detectParts, recorded{}, nil},
	{"pp-ocr read", "48 x 352 pixels", 5, &readParts, recorded{}, nil},
	{"efficientnet-lite0", "224 x 224 pixels", 10, &efficientnetParts, recorded{}, nil},
	{"nanodet", "416 x 416 pixels", 3, &nanodetParts, recorded{}, nil},
	{"kokoro sound f32", "0.2 s of speech, decoded", 3, &kokoroParts, dequantized{}, nil},
	{"piper", "1.1 s of speech", 3, &piperParts, speech{}, nil},
}
