package server

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

func is(t *testing.T, code codes.Code, text string, err error) {
	t.Helper()
	require.Equal(t, code, status.Code(err), "%v", err)
	require.ErrorContains(t, err, text)
}

func executed(t *testing.T, conn *grpc.ClientConn, r *re.ExecuteRequest) *re.ExecuteResponse {
	t.Helper()
	stream, err := re.NewExecutionClient(conn).Execute(ctx, r)
	require.NoError(t, err)
	op, err := stream.Recv()
	require.NoError(t, err)
	response := &re.ExecuteResponse{}
	require.NoError(t, op.GetResponse().UnmarshalTo(response))
	return response
}

// Requests that leave out everything, and messages that do, are refused and harm
// nobody: the server answers as before.
func TestEmptyRequests(t *testing.T) {
	conn, store, _ := start(t, false)
	blobs, results, stream := re.NewContentAddressableStorageClient(conn), re.NewActionCacheClient(conn), bytestream.NewByteStreamClient(conn)
	missing := string(cas.CodeDigest)

	_, err := blobs.FindMissingBlobs(ctx, &re.FindMissingBlobsRequest{BlobDigests: []*re.Digest{{}}})
	is(t, codes.InvalidArgument, missing, err)
	update, err := blobs.BatchUpdateBlobs(ctx, &re.BatchUpdateBlobsRequest{Requests: []*re.BatchUpdateBlobsRequest_Request{{}, {Digest: abc}}})
	require.NoError(t, err)
	is(t, codes.InvalidArgument, missing, status.FromProto(update.Responses[0].Status).Err())
	is(t, codes.InvalidArgument, missing, status.FromProto(update.Responses[1].Status).Err())
	got, err := blobs.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: []*re.Digest{{}, {Hash: abc.Hash, SizeBytes: -1}}})
	require.NoError(t, err)
	is(t, codes.InvalidArgument, missing, status.FromProto(got.Responses[0].Status).Err())
	is(t, codes.InvalidArgument, missing, status.FromProto(got.Responses[1].Status).Err())
	_, err = results.GetActionResult(ctx, &re.GetActionResultRequest{})
	is(t, codes.InvalidArgument, missing, err)
	_, err = results.UpdateActionResult(ctx, &re.UpdateActionResultRequest{})
	is(t, codes.InvalidArgument, missing, err)
	_, err = results.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc})
	is(t, codes.InvalidArgument, "set action_result", err)
	read, err := stream.Read(ctx, &bytestream.ReadRequest{})
	require.NoError(t, err)
	_, err = read.Recv()
	is(t, codes.InvalidArgument, string(CodeResource), err)
	_, err = stream.QueryWriteStatus(ctx, &bytestream.QueryWriteStatusRequest{})
	is(t, codes.InvalidArgument, string(CodeResource), err)
	_, err = write(t, stream)
	is(t, codes.InvalidArgument, "a write without a piece", err)
	_, err = write(t, stream, &bytestream.WriteRequest{})
	is(t, codes.InvalidArgument, string(CodeResource), err)

	// Actions of which any part is left out. The empty message is the empty blob.
	is(t, codes.InvalidArgument, missing, status.FromProto(executed(t, conn, &re.ExecuteRequest{}).Status).Err())
	empty, err := store.PutMessage(&re.Action{})
	require.NoError(t, err)
	command, err := store.PutMessage(&re.Command{Arguments: []string{"/bin/true"}})
	require.NoError(t, err)
	folder, err := store.PutMessage(&re.Directory{Files: []*re.FileNode{{}}})
	require.NoError(t, err)
	for _, a := range []*re.Action{{}, {CommandDigest: command}, {CommandDigest: command, InputRootDigest: &re.Digest{}}, {InputRootDigest: empty}} {
		d, err := store.PutMessage(a)
		require.NoError(t, err)
		is(t, codes.InvalidArgument, missing, status.FromProto(executed(t, conn, &re.ExecuteRequest{ActionDigest: d}).Status).Err())
	}
	d, err := store.PutMessage(&re.Action{CommandDigest: command, InputRootDigest: folder})
	require.NoError(t, err)
	is(t, codes.InvalidArgument, string(worker.CodePath), status.FromProto(executed(t, conn, &re.ExecuteRequest{ActionDigest: d}).Status).Err())
	d, err = store.PutMessage(&re.Action{CommandDigest: command, InputRootDigest: empty})
	require.NoError(t, err)
	require.Nil(t, executed(t, conn, &re.ExecuteRequest{ActionDigest: d}).Status)
}

// A batch is answered in a message that clients with gRPC's default limit receive,
// or not at all.
func TestBatchLimits(t *testing.T) {
	conn, store, _ := start(t, false)
	c := re.NewContentAddressableStorageClient(conn)
	one, err := store.PutBytes(bytes.Repeat([]byte("x"), 1<<20))
	require.NoError(t, err)
	got, err := c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: []*re.Digest{one, one}})
	require.NoError(t, err)
	require.Len(t, got.Responses[1].Data, 1<<20)
	for _, more := range []*re.Digest{one, abc, {Hash: abc.Hash, SizeBytes: 1 << 62}} {
		_, err = c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: []*re.Digest{one, more, one}})
		is(t, codes.InvalidArgument, "more than 2097152 bytes", err)
		is(t, codes.InvalidArgument, "byte stream", err)
	}
	// The length that counts is at least the one of the bytes.
	_, err = c.BatchUpdateBlobs(ctx, &re.BatchUpdateBlobsRequest{Requests: []*re.BatchUpdateBlobsRequest_Request{
		{Digest: abc, Data: make([]byte, 2<<20+1)},
	}})
	is(t, codes.InvalidArgument, string(cas.CodeLimit), err)

	many := make([]*re.Digest, 2000)
	for i := range many {
		many[i] = &re.Digest{Hash: fmt.Sprintf("%064x", i), SizeBytes: 1000}
	}
	got, err = c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: many})
	require.NoError(t, err)
	require.Less(t, proto.Size(got), 4<<20-maxBatch, "there is room for the bytes")
	_, err = c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: append(many, abc)})
	is(t, codes.InvalidArgument, "more than 2000 blobs", err)
}

// Digests of other functions may have the same form.
func TestDigestFunctions(t *testing.T) {
	conn, _, _ := start(t, false)
	blobs, results := re.NewContentAddressableStorageClient(conn), re.NewActionCacheClient(conn)
	const f = re.DigestFunction_BLAKE3
	_, err := blobs.FindMissingBlobs(ctx, &re.FindMissingBlobsRequest{DigestFunction: f})
	is(t, codes.InvalidArgument, "BLAKE3", err)
	_, err = blobs.BatchUpdateBlobs(ctx, &re.BatchUpdateBlobsRequest{DigestFunction: f})
	is(t, codes.InvalidArgument, "BLAKE3", err)
	_, err = blobs.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{DigestFunction: f})
	is(t, codes.InvalidArgument, "BLAKE3", err)
	_, err = results.GetActionResult(ctx, &re.GetActionResultRequest{ActionDigest: abc, DigestFunction: f})
	is(t, codes.InvalidArgument, "BLAKE3", err)
	_, err = results.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, DigestFunction: f})
	is(t, codes.InvalidArgument, "BLAKE3", err)
	is(t, codes.InvalidArgument, "BLAKE3", status.FromProto(executed(t, conn, &re.ExecuteRequest{ActionDigest: abc, DigestFunction: f}).Status).Err())
}

// A result that a client writes is what others make files by.
func TestHostileResults(t *testing.T) {
	conn, store, _ := start(t, false)
	c := re.NewActionCacheClient(conn)
	for name, x := range map[string]struct {
		result *re.ActionResult
		code   string
	}{
		"a file above":      {&re.ActionResult{OutputFiles: []*re.OutputFile{{Path: "../x", Digest: abc}}}, string(worker.CodePath)},
		"an absolute file":  {&re.ActionResult{OutputFiles: []*re.OutputFile{{Path: "/etc/x", Digest: abc}}}, string(worker.CodePath)},
		"a folder above":    {&re.ActionResult{OutputDirectories: []*re.OutputDirectory{{Path: "a/../../x", TreeDigest: abc}}}, string(worker.CodePath)},
		"a link above":      {&re.ActionResult{OutputSymlinks: []*re.OutputSymlink{{Path: "..", Target: "x"}}}, string(worker.CodePath)},
		"an old link above": {&re.ActionResult{OutputFileSymlinks: []*re.OutputSymlink{{Path: "..", Target: "x"}}}, string(worker.CodePath)}, //nolint:staticcheck // deprecated in the protocol
		"no file":           {&re.ActionResult{OutputFiles: []*re.OutputFile{{Path: "x"}}}, string(cas.CodeDigest)},
		"no tree":           {&re.ActionResult{OutputDirectories: []*re.OutputDirectory{{Path: "x"}}}, string(cas.CodeDigest)},
		"no text":           {&re.ActionResult{StdoutDigest: &re.Digest{}}, string(cas.CodeDigest)},
		"no errors":         {&re.ActionResult{StderrDigest: &re.Digest{Hash: "../x"}}, string(cas.CodeDigest)},
		"one path twice": {&re.ActionResult{
			OutputFiles: []*re.OutputFile{{Path: "x", Digest: abc}}, OutputSymlinks: []*re.OutputSymlink{{Path: "x", Target: "y"}},
		}, `two outputs "x"`},
		"two old links": {&re.ActionResult{
			OutputFileSymlinks:      []*re.OutputSymlink{{Path: "x", Target: "y"}}, //nolint:staticcheck // deprecated in the protocol
			OutputDirectorySymlinks: []*re.OutputSymlink{{Path: "x", Target: "y"}}, //nolint:staticcheck // deprecated in the protocol
		}, `two outputs "x"`},
		"below a file": {&re.ActionResult{OutputFiles: []*re.OutputFile{{Path: "x", Digest: abc}, {Path: "x/y/z", Digest: abc}}}, "not a folder"},
		"a large one":  {&re.ActionResult{StdoutRaw: make([]byte, 1<<20)}, string(cas.CodeLimit)},
	} {
		_, err := c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, ActionResult: x.result})
		require.Equal(t, codes.InvalidArgument, status.Code(err), name)
		require.ErrorContains(t, err, x.code, name)
	}
	_, err := c.GetActionResult(ctx, &re.GetActionResultRequest{ActionDigest: abc})
	require.Equal(t, codes.NotFound, status.Code(err))
	_, err = store.PutBytes([]byte("abc"))
	require.NoError(t, err)
	_, err = c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, ActionResult: &re.ActionResult{
		OutputFiles: []*re.OutputFile{{Path: "a/x", Digest: abc}, {Path: "t/x", Digest: abc}}, OutputDirectories: []*re.OutputDirectory{{Path: "t", RootDirectoryDigest: abc}},
		OutputSymlinks: []*re.OutputSymlink{{Path: "l", Target: "/"}}, StdoutDigest: abc,
		OutputFileSymlinks: []*re.OutputSymlink{{Path: "l", Target: "/"}}, //nolint:staticcheck // for clients of two versions
	}})
	require.NoError(t, err)
}

// Results are kept up to a number of bytes; the oldest go.
func TestResultsAreBounded(t *testing.T) {
	r := newResults()
	r.limit = 3 * weight(&re.ActionResult{})
	name := func(i int) *re.Digest { return &re.Digest{Hash: fmt.Sprintf("%064x", i), SizeBytes: 1} }
	for i := range 5 {
		r.keep(name(i), &re.ActionResult{})
		r.keep(name(i), &re.ActionResult{}) // again: counted once
	}
	for i, want := range []bool{false, false, true, true, true} {
		require.Equal(t, want, r.get(name(i)) != nil, "%d", i)
	}
	require.Equal(t, r.limit, r.bytes)
	r.keep(name(9), &re.ActionResult{StdoutRaw: make([]byte, 10*r.limit)})
	require.Len(t, r.held, 1, "what was kept last stays")
}

func TestHostileStreams(t *testing.T) {
	conn, store, _ := start(t, false)
	c := bytestream.NewByteStreamClient(conn)
	first := func(data string) *bytestream.WriteRequest {
		return &bytestream.WriteRequest{ResourceName: abcName, Data: []byte(data)}
	}
	for name, x := range map[string]struct {
		requests []*bytestream.WriteRequest
		text     string
	}{
		"a gap":           {[]*bytestream.WriteRequest{first("a"), {WriteOffset: 2, Data: []byte("c"), FinishWrite: true}}, "at byte 2, after 1"},
		"again":           {[]*bytestream.WriteRequest{first("a"), {WriteOffset: 0, Data: []byte("abc"), FinishWrite: true}}, "at byte 0, after 1"},
		"below zero":      {[]*bytestream.WriteRequest{{ResourceName: abcName, WriteOffset: -1}}, "at byte -1"},
		"another blob":    {[]*bytestream.WriteRequest{first("a"), {ResourceName: "blobs/" + none.Hash + "/5", WriteOffset: 1}}, "stream of its own"},
		"more":            {[]*bytestream.WriteRequest{{ResourceName: abcName, Data: []byte("abcd"), FinishWrite: true}}, string(cas.CodeDigest)},
		"fewer":           {[]*bytestream.WriteRequest{{ResourceName: abcName, Data: []byte("ab"), FinishWrite: true}}, string(cas.CodeDigest)},
		"a huge one":      {[]*bytestream.WriteRequest{{ResourceName: "blobs/" + abc.Hash + "/9223372036854775807"}}, string(cas.CodeLimit)},
		"nothing, hashed": {[]*bytestream.WriteRequest{{ResourceName: "blobs/" + abc.Hash + "/0"}}, string(cas.CodeDigest)},
		"a long name":     {[]*bytestream.WriteRequest{{ResourceName: strings.Repeat("a/", 600) + abcName}}, "keep it below 1024"},
	} {
		_, err := write(t, c, x.requests...)
		require.Equal(t, codes.InvalidArgument, status.Code(err), "%s: %v", name, err)
		require.ErrorContains(t, err, x.text, name)
		require.False(t, store.Has(abc), name)
	}
	_, err := store.PutBytes([]byte("abc"))
	require.NoError(t, err)
	for _, r := range []*bytestream.ReadRequest{{ReadOffset: 4}, {ReadOffset: 1 << 62}, {ReadLimit: -1}} {
		r.ResourceName = abcName
		s, err := c.Read(ctx, r)
		require.NoError(t, err)
		_, err = s.Recv()
		is(t, codes.OutOfRange, "a byte of the blob", err)
	}
	// A length that lies names no blob, longer or shorter.
	for _, size := range []string{"2", "4"} {
		s, err := c.Read(ctx, &bytestream.ReadRequest{ResourceName: "blobs/" + abc.Hash + "/" + size})
		require.NoError(t, err)
		_, err = s.Recv()
		is(t, codes.NotFound, string(cas.CodeNoBlob), err)
	}
	// A client that goes away in the middle leaves nothing.
	over, cancel := context.WithCancel(ctx)
	w, err := c.Write(over)
	require.NoError(t, err)
	require.NoError(t, w.Send(&bytestream.WriteRequest{ResourceName: "blobs/" + none.Hash + "/5", Data: []byte("abc")}))
	cancel()
	_, err = w.CloseAndRecv()
	require.Equal(t, codes.Canceled, status.Code(err))
	require.False(t, store.Has(none))
}
