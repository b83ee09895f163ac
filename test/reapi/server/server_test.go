package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

var ctx = context.Background()

// start serves on loopback until the test ends.
func start(t *testing.T, twice bool) (*grpc.ClientConn, *cas.Store, *bytes.Buffer) {
	return serve(t, twice, func(*Server) {})
}

func serve(t *testing.T, twice bool, set func(*Server)) (*grpc.ClientConn, *cas.Store, *bytes.Buffer) {
	root := t.TempDir()
	store, err := cas.Open(root)
	require.NoError(t, err)
	w, err := worker.New(store, root, worker.Options{})
	require.NoError(t, err)
	log := &bytes.Buffer{}
	s := New(store, w, Options{Jobs: 2, Twice: twice, Log: log})
	set(s)
	g := s.GRPC()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- g.Serve(l) }()
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, conn.Close())
		g.Stop()
		require.NoError(t, <-done)
	})
	return conn, store, log
}

func TestCapabilities(t *testing.T) {
	conn, _, _ := start(t, false)
	c, err := re.NewCapabilitiesClient(conn).GetCapabilities(ctx, &re.GetCapabilitiesRequest{})
	require.NoError(t, err)
	require.True(t, c.ExecutionCapabilities.ExecEnabled)
	require.Equal(t, []re.DigestFunction_Value{re.DigestFunction_SHA256}, c.CacheCapabilities.DigestFunctions)
	require.Less(t, c.CacheCapabilities.MaxBatchTotalSizeBytes, int64(4<<20), "gRPC's default limit")
	require.Equal(t, []re.Compressor_Value{re.Compressor_ZSTD}, c.CacheCapabilities.SupportedCompressors)
}

var (
	// The example of FIPS 180-2, appendix B.1.
	abc  = &re.Digest{Hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", SizeBytes: 3}
	none = &re.Digest{Hash: strings.Repeat("0", 64), SizeBytes: 5}
)

const abcName = "blobs/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad/3"

func TestBatches(t *testing.T) {
	conn, _, _ := start(t, false)
	c := re.NewContentAddressableStorageClient(conn)
	put, err := c.BatchUpdateBlobs(ctx, &re.BatchUpdateBlobsRequest{Requests: []*re.BatchUpdateBlobsRequest_Request{
		{Digest: abc, Data: []byte("abc")}, {Digest: none, Data: []byte("other")},
	}})
	require.NoError(t, err)
	require.Zero(t, put.Responses[0].GetStatus().GetCode())
	require.Equal(t, int32(codes.InvalidArgument), put.Responses[1].Status.Code)
	require.Contains(t, put.Responses[1].Status.Message, string(cas.CodeDigest))

	missing, err := c.FindMissingBlobs(ctx, &re.FindMissingBlobsRequest{BlobDigests: []*re.Digest{abc, none}})
	require.NoError(t, err)
	require.Len(t, missing.MissingBlobDigests, 1)
	require.True(t, proto.Equal(none, missing.MissingBlobDigests[0]))

	got, err := c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: []*re.Digest{abc, none}})
	require.NoError(t, err)
	require.Equal(t, "abc", string(got.Responses[0].Data))
	require.Equal(t, int32(codes.NotFound), got.Responses[1].Status.Code)
}

func write(t *testing.T, c bytestream.ByteStreamClient, requests ...*bytestream.WriteRequest) (*bytestream.WriteResponse, error) {
	w, err := c.Write(ctx)
	require.NoError(t, err)
	for _, r := range requests {
		if w.Send(r) != nil { // the answer says why
			break
		}
	}
	return w.CloseAndRecv()
}

func TestByteStream(t *testing.T) {
	conn, _, _ := start(t, false)
	c := bytestream.NewByteStreamClient(conn)
	name := "instance/uploads/1-2/" + abcName
	query := func() *bytestream.QueryWriteStatusResponse {
		q, err := c.QueryWriteStatus(ctx, &bytestream.QueryWriteStatusRequest{ResourceName: name})
		require.NoError(t, err)
		return q
	}
	require.False(t, query().Complete)
	pieces := []*bytestream.WriteRequest{
		{ResourceName: name, Data: []byte("a")},
		{WriteOffset: 1, Data: []byte("b")},
		{WriteOffset: 2, Data: []byte("c"), FinishWrite: true},
	}
	for range 2 { // the second time it is there already
		r, err := write(t, c, pieces...)
		require.NoError(t, err)
		require.Equal(t, int64(3), r.CommittedSize)
		require.True(t, query().Complete)
	}
	for _, x := range []struct {
		offset, limit int64
		want          string
	}{{0, 0, "abc"}, {1, 0, "bc"}, {1, 1, "b"}, {3, 0, ""}} {
		r, err := c.Read(ctx, &bytestream.ReadRequest{ResourceName: abcName, ReadOffset: x.offset, ReadLimit: x.limit})
		require.NoError(t, err)
		var got []byte
		for {
			m, err := r.Recv()
			if err == io.EOF { //nolint:errorlint // gRPC gives it bare
				break
			}
			require.NoError(t, err)
			got = append(got, m.Data...)
		}
		require.Equal(t, x.want, string(got))
	}
}

func TestByteStreamFaults(t *testing.T) {
	conn, _, _ := start(t, false)
	c := bytestream.NewByteStreamClient(conn)
	read := func(name string, offset int64) error {
		r, err := c.Read(ctx, &bytestream.ReadRequest{ResourceName: name, ReadOffset: offset})
		require.NoError(t, err)
		_, err = r.Recv()
		return err
	}
	is := func(code codes.Code, text string, err error) {
		t.Helper()
		require.Equal(t, code, status.Code(err), "%v", err)
		require.ErrorContains(t, err, text)
	}
	is(codes.NotFound, string(cas.CodeNoBlob), read(abcName, 0))
	is(codes.InvalidArgument, string(CodeCompressed), read("compressed-blobs/brotli/"+abc.Hash+"/3", 0))
	is(codes.InvalidArgument, string(CodeResource), read("blobs/"+abc.Hash+"/99999999999999999999", 0))
	_, err := write(t, c, &bytestream.WriteRequest{ResourceName: "uploads/1/blobs/x/3"})
	is(codes.InvalidArgument, string(CodeResource), err)
	_, err = write(t, c, &bytestream.WriteRequest{ResourceName: abcName, WriteOffset: 1, Data: []byte("bc"), FinishWrite: true})
	is(codes.InvalidArgument, "beginning", err)
	_, err = write(t, c, &bytestream.WriteRequest{ResourceName: abcName, Data: []byte("ab")})
	is(codes.InvalidArgument, "without its last piece", err)
	_, err = write(t, c, &bytestream.WriteRequest{ResourceName: abcName, Data: []byte("abc"), FinishWrite: true})
	require.NoError(t, err)
	is(codes.OutOfRange, string(CodeResource), read(abcName, -1))
}

func TestActionCache(t *testing.T) {
	conn, _, _ := start(t, false)
	c := re.NewActionCacheClient(conn)
	_, err := c.GetActionResult(ctx, &re.GetActionResultRequest{ActionDigest: abc})
	require.Equal(t, codes.NotFound, status.Code(err))
	_, err = c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, ActionResult: &re.ActionResult{ExitCode: 7}})
	require.NoError(t, err)
	r, err := c.GetActionResult(ctx, &re.GetActionResultRequest{ActionDigest: abc})
	require.NoError(t, err)
	require.Equal(t, int32(7), r.ExitCode)
	_, err = c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: &re.Digest{Hash: "x"}})
	require.Equal(t, codes.InvalidArgument, status.Code(err))
}

// execute stores an action that runs a script, and runs it.
func execute(t *testing.T, conn *grpc.ClientConn, store *cas.Store, mnemonic, script string, input *re.Digest) *re.ExecuteResponse {
	root, err := store.PutMessage(&re.Directory{Files: []*re.FileNode{{Name: "in", Digest: input}}})
	require.NoError(t, err)
	command, err := store.PutMessage(&re.Command{Arguments: []string{"/bin/sh", "-c", script}, OutputPaths: []string{"out"}})
	require.NoError(t, err)
	action, err := store.PutMessage(&re.Action{CommandDigest: command, InputRootDigest: root})
	require.NoError(t, err)
	meta, err := proto.Marshal(&re.RequestMetadata{ActionMnemonic: mnemonic, TargetId: "//a:b"})
	require.NoError(t, err)
	with := metadata.AppendToOutgoingContext(ctx, "build.bazel.remote.execution.v2.requestmetadata-bin", string(meta))
	stream, err := re.NewExecutionClient(conn).Execute(with, &re.ExecuteRequest{ActionDigest: action})
	require.NoError(t, err)
	op, err := stream.Recv()
	require.NoError(t, err)
	require.True(t, op.Done)
	response := &re.ExecuteResponse{}
	require.NoError(t, op.GetResponse().UnmarshalTo(response))
	return response
}

func TestExecute(t *testing.T) {
	conn, store, log := start(t, true)
	in, err := store.PutBytes([]byte("abc"))
	require.NoError(t, err)

	first := execute(t, conn, store, "Copy", "cat in > out", in)
	require.False(t, first.CachedResult)
	require.Equal(t, abc.Hash, first.Result.OutputFiles[0].Digest.Hash)
	second := execute(t, conn, store, "Copy", "cat in > out", in)
	require.True(t, second.CachedResult)
	require.True(t, proto.Equal(first.Result, second.Result))

	// A failed action is run again when it is asked for again.
	for range 2 {
		failed := execute(t, conn, store, "Copy", "exit 3", in)
		require.False(t, failed.CachedResult)
		require.Equal(t, int32(3), failed.Result.ExitCode)
	}
	chance := execute(t, conn, store, "Copy", "head -c 16 /dev/urandom > out", in)
	require.Equal(t, int32(codes.FailedPrecondition), chance.Status.Code)

	// A test's log has times in it.
	require.Nil(t, execute(t, conn, store, "TestRunner", "head -c 16 /dev/urandom > out", in).Status)

	missing := status.FromProto(execute(t, conn, store, "Copy", "cat in > out", none).Status)
	require.Equal(t, codes.FailedPrecondition, missing.Code())
	violations := missing.Details()[0].(*errdetails.PreconditionFailure).Violations
	require.Equal(t, "MISSING", violations[0].Type)
	require.Equal(t, "blobs/"+none.Hash+"/5", violations[0].Subject)

	var entries []Action
	for line := range strings.Lines(log.String()) {
		var a Action
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		require.Equal(t, "//a:b", a.Target)
		entries = append(entries, a)
	}
	require.Len(t, entries, 7)
	require.Equal(t, "Copy", entries[0].Mnemonic)
	require.True(t, entries[1].Cached)
	require.Equal(t, int32(3), entries[2].Exit)
	require.Equal(t, "TestRunner", entries[5].Mnemonic)
	require.Contains(t, entries[4].Fault, string(worker.CodeNotReproducible))
	require.Contains(t, entries[6].Fault, string(cas.CodeNoBlob))
}
