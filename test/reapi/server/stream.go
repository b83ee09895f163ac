package server

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// chunk is the size of a piece of a blob in an answer.
const chunk = 1 << 20

// maxName is the most bytes of a resource name.
const maxName = 1 << 10

// What uploads say of a blob after its size is not read.
var resource = regexp.MustCompile(
	`^(?:[^/]+/)*?(uploads/[^/]+/)?(?:blobs|compressed-blobs/([a-z0-9]+))/([0-9a-f]{64})/(0|[1-9][0-9]*)(/.+)?$`)

// keywords are the parts of a resource name that no instance's name may have.
var keywords = map[string]bool{"blobs": true, "compressed-blobs": true}

// blob reads a resource name: blobs/HASH/SIZE or compressed-blobs/zstd/HASH/SIZE,
// after an instance's name and uploads/UUID.
func blob(name string) (*re.Digest, re.Compressor_Value, error) {
	if len(name) > maxName {
		return nil, 0, errs.New(CodeResource, "a name of %d bytes names no blob", len(name)).Hint("keep it below %d", maxName)
	}
	m := resource.FindStringSubmatch(name)
	none := errs.New(CodeResource, "%q is not blobs/SHA256/SIZE", name).Hint("name one blob, with an instance and uploads/UUID at most before it")
	if m == nil || m[5] != "" && m[1] == "" {
		return nil, 0, none
	}
	found := 0
	for part := range strings.SplitSeq(name, "/") {
		if keywords[part] {
			found++
		}
	}
	size, err := strconv.ParseInt(m[4], 10, 64)
	if err != nil || found != 1 {
		return nil, 0, none
	}
	d := &re.Digest{Hash: m[3], SizeBytes: size}
	switch m[2] {
	case "identity": // the protocol has it nowhere in a name
		return nil, 0, errs.New(CodeResource, "%q: it is not compressed", name).Hint("name it %s", cas.Name(d))
	case "":
		return d, re.Compressor_IDENTITY, cas.Check(d)
	case "zstd":
		return d, re.Compressor_ZSTD, cas.Check(d)
	}
	return nil, 0, errs.New(CodeCompressed, "%q: there is no %s here", name, m[2]).Hint("use zstd, or none")
}

// Read implements the byte stream.
func (s *Server) Read(r *bytestream.ReadRequest, out bytestream.ByteStream_ReadServer) error {
	d, compressor, err := blob(r.ResourceName)
	if err != nil {
		return rpc(err)
	}
	if r.ReadOffset < 0 || r.ReadOffset > d.SizeBytes || r.ReadLimit < 0 {
		return status.Error(codes.OutOfRange, errs.New(CodeResource, "%d bytes from byte %d of %d", r.ReadLimit, r.ReadOffset, d.SizeBytes).
			On(r.ResourceName).Hint("read from a byte of the blob").Error())
	}
	if r.ReadLimit != 0 && compressor != re.Compressor_IDENTITY {
		return rpc(errs.New(CodeResource, "a read of %d compressed bytes", r.ReadLimit).On(r.ResourceName).Hint("leave out the limit"))
	}
	f, err := s.store.Open(d)
	if err != nil {
		return rpc(err)
	}
	defer f.Close()
	if _, err := f.Seek(r.ReadOffset, io.SeekStart); err != nil {
		return rpc(errs.Wrap(cas.CodeState, err, "reading from byte %d", r.ReadOffset))
	}
	var in io.Reader = f
	if r.ReadLimit > 0 {
		in = io.LimitReader(f, r.ReadLimit)
	}
	to, err := s.writer(out.Context(), compressor, sender{out})
	if err != nil {
		return rpc(err)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{in}, make([]byte, chunk))
	return rpc(errors.Join(err, to.Close()))
}

// sender sends pieces of up to chunk bytes.
type sender struct {
	out bytestream.ByteStream_ReadServer
}

func (s sender) Write(p []byte) (int, error) {
	for at := 0; at < len(p); at += chunk {
		if err := s.out.Send(&bytestream.ReadResponse{Data: p[at:min(at+chunk, len(p))]}); err != nil {
			return at, err
		}
	}
	return len(p), nil
}

// pieces reads the data of a stream of write requests, of which each goes on where
// the one before ended.
type pieces struct {
	in   bytestream.ByteStream_WriteServer
	name string
	data []byte
	next int64 // the offset of the request to come
	last bool
}

func (p *pieces) take(m *bytestream.WriteRequest) error {
	if m.WriteOffset != p.next {
		return errs.New(CodeResource, "a write continues at byte %d, after %d", m.WriteOffset, p.next).On(p.name).
			Hint("send the blob from its beginning, piece by piece")
	}
	if m.ResourceName != "" && m.ResourceName != p.name {
		return errs.New(CodeResource, "a write continues as %q", m.ResourceName).On(p.name).Hint("send each blob in a stream of its own")
	}
	p.data, p.last, p.next = m.Data, m.FinishWrite, p.next+int64(len(m.Data))
	return nil
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.data) == 0 {
		if p.last {
			return 0, io.EOF
		}
		m, err := p.in.Recv()
		if errors.Is(err, io.EOF) {
			return 0, errs.New(CodeResource, "a write ended after %d bytes without its last piece", p.next).On(p.name).Hint("set finish_write on the last")
		}
		if err != nil {
			return 0, err
		}
		if err := p.take(m); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.data)
	p.data = p.data[n:]
	return n, nil
}

// Write implements the byte stream. A blob that is there already is not read.
func (s *Server) Write(in bytestream.ByteStream_WriteServer) error {
	m, err := in.Recv()
	if errors.Is(err, io.EOF) {
		return rpc(errs.New(CodeResource, "a write without a piece").Hint("name the blob in the first"))
	}
	if err != nil {
		return err
	}
	d, compressor, err := blob(m.ResourceName)
	if err != nil {
		return rpc(err)
	}
	p := &pieces{in: in, name: m.ResourceName}
	committed := d.SizeBytes
	if s.store.Has(d) {
		if compressor != re.Compressor_IDENTITY {
			committed = -1 // the protocol's word for: it is there
		}
		return in.SendAndClose(&bytestream.WriteResponse{CommittedSize: committed})
	}
	if err := p.take(m); err != nil {
		return rpc(err)
	}
	plain, err := s.reader(in.Context(), compressor, p, d)
	if err != nil {
		return rpc(err)
	}
	defer plain.Close()
	if _, err := s.store.Put(plain, d); err != nil {
		return rpc(err)
	}
	if compressor != re.Compressor_IDENTITY {
		committed = p.next
	}
	return in.SendAndClose(&bytestream.WriteResponse{CommittedSize: committed})
}

// QueryWriteStatus implements the byte stream. Blobs are there as a whole or not.
func (s *Server) QueryWriteStatus(_ context.Context, r *bytestream.QueryWriteStatusRequest) (*bytestream.QueryWriteStatusResponse, error) {
	d, _, err := blob(r.ResourceName)
	if err != nil {
		return nil, rpc(err)
	}
	if !s.store.Has(d) {
		return &bytestream.QueryWriteStatusResponse{}, nil
	}
	return &bytestream.QueryWriteStatusResponse{CommittedSize: d.SizeBytes, Complete: true}, nil
}
