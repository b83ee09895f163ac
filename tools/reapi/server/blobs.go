package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// chunk is the size of a piece of a blob in an answer.
const chunk = 1 << 20

// FindMissingBlobs implements the storage.
func (s *Server) FindMissingBlobs(_ context.Context, r *re.FindMissingBlobsRequest) (*re.FindMissingBlobsResponse, error) {
	missing := &re.FindMissingBlobsResponse{}
	for _, d := range r.BlobDigests {
		if !s.store.Has(d) {
			missing.MissingBlobDigests = append(missing.MissingBlobDigests, d)
		}
	}
	return missing, nil
}

// BatchUpdateBlobs implements the storage.
func (s *Server) BatchUpdateBlobs(_ context.Context, r *re.BatchUpdateBlobsRequest) (*re.BatchUpdateBlobsResponse, error) {
	all := &re.BatchUpdateBlobsResponse{}
	for _, q := range r.Requests {
		_, err := s.store.Put(bytes.NewReader(q.Data), q.Digest)
		all.Responses = append(all.Responses, &re.BatchUpdateBlobsResponse_Response{
			Digest: q.Digest, Status: status.Convert(rpc(err)).Proto(),
		})
	}
	return all, nil
}

// BatchReadBlobs implements the storage.
func (s *Server) BatchReadBlobs(_ context.Context, r *re.BatchReadBlobsRequest) (*re.BatchReadBlobsResponse, error) {
	all := &re.BatchReadBlobsResponse{}
	for _, d := range r.Digests {
		b, err := s.store.Bytes(d)
		all.Responses = append(all.Responses, &re.BatchReadBlobsResponse_Response{
			Digest: d, Data: b, Status: status.Convert(rpc(err)).Proto(),
		})
	}
	return all, nil
}

var resource = regexp.MustCompile(`(?:^|/)blobs/([0-9a-f]{64})/([0-9]+)(?:/|$)`)

// blob reads a resource name: blobs/HASH/SIZE, after an instance's name and
// uploads/UUID. Compressed blobs are not offered.
func blob(name string) (*re.Digest, error) {
	if m := resource.FindStringSubmatch(name); m != nil {
		if size, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			return &re.Digest{Hash: m[1], SizeBytes: size}, nil
		}
	}
	return nil, errs.New(CodeResource, "%q is no blobs/SHA256/SIZE", name)
}

// Read implements the byte stream.
func (s *Server) Read(r *bytestream.ReadRequest, out bytestream.ByteStream_ReadServer) error {
	d, err := blob(r.ResourceName)
	if err != nil {
		return rpc(err)
	}
	f, err := s.store.Open(d)
	if err != nil {
		return rpc(err)
	}
	defer f.Close()
	if _, err := f.Seek(r.ReadOffset, io.SeekStart); err != nil {
		return rpc(errs.Wrap(CodeResource, err, "reading from byte %d", r.ReadOffset))
	}
	var in io.Reader = f
	if r.ReadLimit > 0 {
		in = io.LimitReader(f, r.ReadLimit)
	}
	buffer := make([]byte, chunk)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			if err := out.Send(&bytestream.ReadResponse{Data: buffer[:n]}); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rpc(err)
		}
	}
}

// pieces reads the data of a stream of write requests.
type pieces struct {
	in   bytestream.ByteStream_WriteServer
	data []byte
	last bool
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.data) == 0 {
		if p.last {
			return 0, io.EOF
		}
		m, err := p.in.Recv()
		if err != nil {
			return 0, err
		}
		p.data, p.last = m.Data, m.FinishWrite
	}
	n := copy(b, p.data)
	p.data = p.data[n:]
	return n, nil
}

// Write implements the byte stream. A blob that is there already is not read.
func (s *Server) Write(in bytestream.ByteStream_WriteServer) error {
	m, err := in.Recv()
	if err != nil {
		return err
	}
	d, err := blob(m.ResourceName)
	if err != nil {
		return rpc(err)
	}
	if !s.store.Has(d) {
		if m.WriteOffset != 0 {
			return rpc(errs.New(CodeResource, "a write goes on at byte %d", m.WriteOffset).On(m.ResourceName).
				Hint("send the blob from its beginning"))
		}
		if _, err := s.store.Put(&pieces{in: in, data: m.Data, last: m.FinishWrite}, d); err != nil {
			return rpc(err)
		}
	}
	return in.SendAndClose(&bytestream.WriteResponse{CommittedSize: d.SizeBytes})
}

// QueryWriteStatus implements the byte stream. Blobs are there as a whole or not.
func (s *Server) QueryWriteStatus(_ context.Context, r *bytestream.QueryWriteStatusRequest) (*bytestream.QueryWriteStatusResponse, error) {
	d, err := blob(r.ResourceName)
	if err != nil {
		return nil, rpc(err)
	}
	if !s.store.Has(d) {
		return &bytestream.QueryWriteStatusResponse{}, nil
	}
	return &bytestream.QueryWriteStatusResponse{CommittedSize: d.SizeBytes, Complete: true}, nil
}
