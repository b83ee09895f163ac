package server

import (
	"bytes"
	"context"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// FindMissingBlobs implements the storage.
func (s *Server) FindMissingBlobs(_ context.Context, r *re.FindMissingBlobsRequest) (*re.FindMissingBlobsResponse, error) {
	if err := function(r.DigestFunction); err != nil {
		return nil, rpc(err)
	}
	missing := &re.FindMissingBlobsResponse{}
	for _, d := range r.BlobDigests {
		if err := cas.Check(d); err != nil {
			return nil, rpc(err)
		}
		if !s.store.Has(d) {
			missing.MissingBlobDigests = append(missing.MissingBlobDigests, d)
		}
	}
	return missing, nil
}

// batch counts what one request moves: blobs that are sent alone are bounded, and
// an answer must fit into a message of the size that clients receive.
type batch struct {
	blobs int
	bytes int64
}

func (b *batch) add(d *re.Digest, data []byte) error {
	if b.blobs++; b.blobs > maxBlobs {
		return errs.New(cas.CodeLimit, "the batch has more than %d blobs", maxBlobs).Hint("make it several batches")
	}
	// Invalid lengths are reported for each blob.
	if b.bytes += max(int64(len(data)), min(max(d.GetSizeBytes(), 0), maxBatch+1)); b.bytes > maxBatch {
		return errs.New(cas.CodeLimit, "the batch has more than %d bytes", maxBatch).Hint("make it several batches, or use the byte stream")
	}
	return nil
}

// BatchUpdateBlobs implements the storage.
func (s *Server) BatchUpdateBlobs(ctx context.Context, r *re.BatchUpdateBlobsRequest) (*re.BatchUpdateBlobsResponse, error) {
	if err := function(r.DigestFunction); err != nil {
		return nil, rpc(err)
	}
	var b batch
	for _, q := range r.Requests {
		if err := b.add(q.Digest, q.Data); err != nil {
			return nil, rpc(err)
		}
	}
	all := &re.BatchUpdateBlobsResponse{}
	for _, q := range r.Requests {
		all.Responses = append(all.Responses, &re.BatchUpdateBlobsResponse_Response{
			Digest: q.Digest, Status: status.Convert(rpc(s.update(ctx, q))).Proto(),
		})
	}
	return all, nil
}

func (s *Server) update(ctx context.Context, q *re.BatchUpdateBlobsRequest_Request) error {
	if err := cas.Check(q.Digest); err != nil {
		return err
	}
	plain, err := s.reader(ctx, q.Compressor, bytes.NewReader(q.Data), q.Digest)
	if err != nil {
		return err
	}
	defer plain.Close()
	_, err = s.store.Put(plain, q.Digest)
	return err
}

// BatchReadBlobs implements the storage. Blobs are sent uncompressed, which every client accepts.
func (s *Server) BatchReadBlobs(_ context.Context, r *re.BatchReadBlobsRequest) (*re.BatchReadBlobsResponse, error) {
	if err := function(r.DigestFunction); err != nil {
		return nil, rpc(err)
	}
	var b batch
	for _, d := range r.Digests {
		if err := b.add(d, nil); err != nil {
			return nil, rpc(err)
		}
	}
	all := &re.BatchReadBlobsResponse{}
	for _, d := range r.Digests {
		data, err := s.store.Bytes(d)
		all.Responses = append(all.Responses, &re.BatchReadBlobsResponse_Response{
			Digest: d, Data: data, Status: status.Convert(rpc(err)).Proto(),
		})
	}
	return all, nil
}
