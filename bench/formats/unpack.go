package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/bench/formats/contestant"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// unpackElements is how many elements are unpacked in a pass.
const unpackElements = 1 << 20

// unpackPart unpacks blocks of every type that libgguf unpacks too, each on one
// thread. Figures are CPU time, so that waiting for a busy processor is none.
func unpackPart(ctx context.Context, b *bench) error {
	ours, err := start(ctx, b, "ours", oursFile)
	if err != nil {
		return err
	}
	defer ours.Stop()
	var peer *child
	if libggufPeerFile != "" {
		if peer, err = start(ctx, b, "libgguf", pythonFile, libggufPeerFile); err != nil {
			return err
		}
		defer peer.Stop()
	}
	t := &table{
		title: fmt.Sprintf("Nanoseconds of CPU time to unpack an element to f32, one thread, %d elements a pass", unpackElements),
		unit:  "ns", against: "libgguf", ratio: "libgguf's time : its",
	}
	requests, err := b.blocks()
	if err != nil {
		return err
	}
	for i := range b.rounds + 1 {
		b.round(i)
		for _, q := range requests {
			a, err := ours.ask(q)
			if err != nil {
				return err
			}
			if i > 0 {
				t.add(q.Type, "ours", 1e9*a.Seconds/unpackElements)
			}
			if peer == nil {
				continue
			}
			p, err := peer.ask(q)
			if err != nil {
				return err
			}
			if err := same(q.Type, ours, peer, a, p); err != nil {
				return err
			}
			if i > 0 {
				t.add(q.Type, "libgguf", 1e9*p.Seconds/unpackElements)
			}
		}
	}
	if peer != nil {
		t.note(peer.ready.Version)
	}
	return t.print(b.out)
}

// blocks writes a file of blocks for each type of ggml that files hold: packed
// weights where we can pack, else random bytes.
func (b *bench) blocks() ([]contestant.Request, error) {
	r := rand.New(rand.NewPCG(1, 2))
	elements := make([]float32, unpackElements)
	for i := range elements {
		elements[i] = float32(r.NormFloat64())
	}
	var out []contestant.Request
	for _, x := range quant.All() {
		if x.GGML == quant.NoGGML || x.Encoding == "Q8_1" || x.Encoding == "Q8_K" { // encodings of activations
			continue
		}
		size, err := x.Encoding.Size(unpackElements)
		if err != nil {
			return nil, err
		}
		data := make([]byte, size)
		if quant.CanPack(x.Encoding) {
			err = quant.Pack(x.Encoding, data, elements)
		} else {
			for i := 0; i+8 <= len(data); i += 8 {
				binary.LittleEndian.PutUint64(data[i:], r.Uint64())
			}
		}
		if err != nil {
			return nil, err
		}
		path := filepath.Join(b.folder, string(x.Encoding)+".blocks")
		if err := scratch(path, data); err != nil {
			return nil, err
		}
		out = append(out, contestant.Request{Do: contestant.Unpack, Path: path, Type: string(x.Encoding), Elements: unpackElements})
	}
	if len(out) == 0 {
		return nil, errs.New(harness.CodeResult, "there is no type to unpack")
	}
	return out, nil
}
