package main

import (
	"context"
	"fmt"

	"github.com/skainet-dev/skainet-go/bench/formats/contestant"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// openPart opens the model and lists its tensors, beside gguf-py: each in a
// process that is warm, and ours also as the whole of a new one.
func openPart(ctx context.Context, b *bench) error {
	path, err := b.modelPath()
	if err != nil {
		return err
	}
	ours, err := start(ctx, b, "ours", oursFile)
	if err != nil {
		return err
	}
	defer ours.Stop()
	var peer *child
	if ggufPeerFile != "" {
		if peer, err = start(ctx, b, "gguf-py", pythonFile, ggufPeerFile); err != nil {
			return err
		}
		defer peer.Stop()
	}
	const what = "open"
	t := &table{unit: "ms", format: "%.2f", against: "gguf-py", ratio: "gguf-py's time : its"}
	if err := warm(path); err != nil {
		return err
	}
	for i := range b.rounds + 1 {
		b.round(i)
		a, err := ours.ask(contestant.Request{Do: contestant.Open, Path: path})
		if err != nil {
			return err
		}
		inspected, err := timed(ctx, b.skainet, "inspect", path)
		if err != nil {
			return err
		}
		if i > 0 {
			t.add(what, "ours", 1000*a.Seconds)
			t.add(what, "skainet inspect, a new process", 1000*inspected.wall)
		}
		t.title = fmt.Sprintf("Milliseconds to open a GGUF file and to list its %d tensors, file in the cache", a.Tensors)
		if peer == nil {
			continue
		}
		p, err := peer.ask(contestant.Request{Do: contestant.Open, Path: path})
		if err != nil {
			return err
		}
		if err := same(what, ours, peer, a, p); err != nil {
			return err
		}
		if i > 0 {
			t.add(what, "gguf-py", 1000*p.Seconds)
		}
	}
	if peer != nil {
		t.note(peer.ready.Version)
	}
	return t.print(b.out)
}

// modelPath returns the model that was asked for or that comes along; without one,
// a small file.
func (b *bench) modelPath() (string, error) {
	if b.model != "" {
		return b.model, nil
	}
	if modelFile != "" {
		return harness.Runfile(modelFile)
	}
	path := b.folder + "/small.gguf"
	if err := scratch(path, badfiles.GGUFGood()); err != nil {
		return "", err
	}
	return path, nil
}
