package server

import (
	"context"
	"sync"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

// Limits of the action cache in memory, in bytes of messages: of one result, and of
// all. Beyond the second the oldest are dropped, which costs a second run.
const (
	maxResult  = 1 << 20
	maxResults = 256 << 20
)

// results is the action cache.
type results struct {
	limit int

	mu    sync.Mutex
	held  map[string]*re.ActionResult // by the action's hash
	order []string                    // of hashes, oldest first
	bytes int
}

func newResults() *results { return &results{limit: maxResults, held: map[string]*re.ActionResult{}} }

// weight is what a result counts, with its key and place in the table.
func weight(a *re.ActionResult) int { return proto.Size(a) + 256 }

func (r *results) get(d *re.Digest) *re.ActionResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[d.GetHash()]
}

func (r *results) keep(d *re.Digest, a *re.ActionResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.held[d.Hash]; ok {
		r.bytes -= weight(old)
	} else {
		r.order = append(r.order, d.Hash)
	}
	r.held[d.Hash] = a
	r.bytes += weight(a)
	for r.bytes > r.limit && len(r.order) > 1 {
		r.bytes -= weight(r.held[r.order[0]])
		delete(r.held, r.order[0])
		r.order = r.order[1:]
	}
}

// GetActionResult implements the action cache.
func (s *Server) GetActionResult(_ context.Context, r *re.GetActionResultRequest) (*re.ActionResult, error) {
	if err := errorOf(function(r.DigestFunction), cas.Check(r.ActionDigest)); err != nil {
		return nil, rpc(err)
	}
	if a := s.result(r.ActionDigest); a != nil {
		return a, nil
	}
	return nil, status.Error(codes.NotFound, "no result")
}

// result is what is kept of an action, if all blobs of it are still there.
func (s *Server) result(d *re.Digest) *re.ActionResult {
	a := s.results.get(d)
	if a == nil || s.whole(a) != nil {
		return nil
	}
	return a
}

// whole returns an error for blobs that a result names and the store lacks. It reads
// trees for that.
func (s *Server) whole(a *re.ActionResult) error {
	blobs := []*re.Digest{}
	for _, d := range []*re.Digest{a.StdoutDigest, a.StderrDigest} {
		if d != nil {
			blobs = append(blobs, d)
		}
	}
	for _, f := range a.OutputFiles {
		blobs = append(blobs, f.Digest)
	}
	for _, t := range a.OutputDirectories {
		if t.RootDirectoryDigest != nil {
			blobs = append(blobs, t.RootDirectoryDigest)
		}
		if t.TreeDigest == nil {
			continue
		}
		var tree re.Tree
		if err := s.store.Message(t.TreeDigest, &tree); err != nil {
			return err
		}
		for _, dir := range append(tree.Children, tree.Root) {
			for _, f := range dir.GetFiles() {
				blobs = append(blobs, f.Digest)
			}
		}
	}
	for _, d := range blobs {
		if err := cas.Check(d); err != nil {
			return err
		}
		if !s.store.Has(d) {
			return errs.New(cas.CodeNoBlob, "a result names it, and it is not in the store").On(cas.Name(d)).Hint("send it first")
		}
	}
	return nil
}

// UpdateActionResult implements the action cache. What a result names must be
// digests of stored blobs and paths of outputs: other clients create files from them.
func (s *Server) UpdateActionResult(_ context.Context, r *re.UpdateActionResultRequest) (*re.ActionResult, error) {
	if err := errorOf(function(r.DigestFunction), cas.Check(r.ActionDigest), checkResult(r.ActionResult)); err != nil {
		return nil, rpc(err)
	}
	if err := s.whole(r.ActionResult); err != nil {
		return nil, s.failure(err).Err()
	}
	s.results.keep(r.ActionDigest, r.ActionResult)
	return r.ActionResult, nil
}

func checkResult(a *re.ActionResult) error {
	if a == nil {
		return errs.New(CodeResource, "the request has no result").Hint("set action_result")
	}
	if n := proto.Size(a); n > maxResult {
		return errs.New(cas.CodeLimit, "the result has %d bytes, the limit is %d", n, maxResult).Hint("make it several actions")
	}
	if err := worker.CheckOutputs(a); err != nil {
		return err
	}
	for _, f := range a.OutputFiles {
		if err := cas.Check(f.Digest); err != nil {
			return err
		}
	}
	for _, t := range a.OutputDirectories {
		if t.TreeDigest == nil && t.RootDirectoryDigest != nil { // either will do
			t = &re.OutputDirectory{TreeDigest: t.RootDirectoryDigest}
		}
		if err := cas.Check(t.TreeDigest); err != nil {
			return err
		}
	}
	for _, d := range []*re.Digest{a.StdoutDigest, a.StderrDigest} {
		if d == nil {
			continue
		}
		if err := cas.Check(d); err != nil {
			return err
		}
	}
	return nil
}

// function rejects digests of functions other than sha256.
func function(f re.DigestFunction_Value) error {
	if f == re.DigestFunction_UNKNOWN || f == re.DigestFunction_SHA256 {
		return nil
	}
	return errs.New(cas.CodeDigest, "the digests are by %v", f).Hint("use SHA256, as the capabilities say")
}

// errorOf returns the first error.
func errorOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
