package server

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

// Uploads that are begun and left open do not add up.
func TestCoders(t *testing.T) {
	var s *Server
	conn, store, _ := serve(t, false, func(x *Server) { s, x.coderWait = x, 10*time.Millisecond })
	c, blobs := bytestream.NewByteStreamClient(conn), re.NewContentAddressableStorageClient(conn)
	packed := compress(t, []byte("abc"))
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	for range maxCoders {
		w, err := c.Write(over)
		require.NoError(t, err)
		require.NoError(t, w.Send(&bytestream.WriteRequest{ResourceName: compressedName(abc), Data: packed[:4]}))
	}
	full := func() bool {
		if !s.coders.TryAcquire(1) {
			return true
		}
		s.coders.Release(1)
		return false
	}
	require.Eventually(t, full, 20*time.Second, time.Millisecond)

	whole := &bytestream.WriteRequest{ResourceName: compressedName(abc), Data: packed, FinishWrite: true}
	_, err := write(t, c, whole)
	is(t, codes.ResourceExhausted, string(CodeBusy), err)
	is(t, codes.ResourceExhausted, "send fewer blobs at a time", err)
	update := &re.BatchUpdateBlobsRequest{Requests: []*re.BatchUpdateBlobsRequest_Request{{Digest: abc, Data: packed, Compressor: re.Compressor_ZSTD}}}
	put, err := blobs.BatchUpdateBlobs(ctx, update)
	require.NoError(t, err)
	is(t, codes.ResourceExhausted, string(CodeBusy), status.FromProto(put.Responses[0].Status).Err())
	d, err := store.PutBytes([]byte("other"))
	require.NoError(t, err)
	_, err = all(t, c, &bytestream.ReadRequest{ResourceName: compressedName(d)})
	is(t, codes.ResourceExhausted, string(CodeBusy), err)
	gone, stop := context.WithCancel(ctx)
	stop()
	_, err = s.coder(gone)
	is(t, codes.Canceled, "canceled", err)

	// What is not compressed goes on, and the rest once the others end.
	plain, err := all(t, c, &bytestream.ReadRequest{ResourceName: cas.Name(d)})
	require.NoError(t, err)
	require.Equal(t, "other", string(plain))
	cancel()
	require.Eventually(t, func() bool { return !full() }, 20*time.Second, time.Millisecond)
	for range 2 * maxCoders { // each leaves its place
		store.Drop(abc)
		_, err = write(t, c, whole)
		require.NoError(t, err)
		_, err = all(t, c, &bytestream.ReadRequest{ResourceName: compressedName(d)})
		require.NoError(t, err)
		store.Drop(abc)
		_, err = write(t, c, &bytestream.WriteRequest{ResourceName: compressedName(abc), Data: []byte("x"), FinishWrite: true})
		is(t, codes.InvalidArgument, string(CodeCompressed), err)
	}
}

// A name that names a blob in any way but its own names none.
func TestResourceNames(t *testing.T) {
	name, packed := cas.Name(abc), compressedName(abc)
	for _, good := range []string{
		name, packed, "a/b/" + name, "uploads/1/" + name, "a/uploads/1/" + packed, "a/uploads/1/" + name + "/a file/of it",
	} {
		d, _, err := blob(good)
		require.NoError(t, err, good)
		require.Equal(t, abc.Hash, d.Hash)
		require.Equal(t, abc.SizeBytes, d.SizeBytes)
	}
	identity := strings.Replace(packed, "zstd", "identity", 1)
	for bad, text := range map[string]string{
		name + "/blobs/x":                  "",
		name + "/x":                        "",
		name + "/":                         "",
		"/" + name:                         "",
		"uploads/1/" + name + "/blobs":     "",
		"uploads/1/" + name + "/" + packed: "",
		"blobs/" + name:                    "",
		"compressed-blobs/zstd/" + name:    "",
		"compressed-blobs/zstd/zstd/" + name[len("blobs/"):]: "",
		"blobs/" + abc.Hash + "/03":                          "",
		"blobs/" + abc.Hash + "/-3":                          "",
		"blobs/" + strings.ToUpper(abc.Hash) + "/3":          "",
		"x" + name:              "",
		identity:                "name it " + name,
		"uploads/1/" + identity: "name it " + name,
	} {
		_, _, err := blob(bad)
		require.ErrorContains(t, err, string(CodeResource), bad)
		if text == "" {
			text = "is not blobs/SHA256/SIZE"
		}
		require.ErrorContains(t, err, text, bad)
	}
}

// A result of blobs that are not here is neither taken nor given.
func TestResultsOfAbsentBlobs(t *testing.T) {
	conn, store, _ := start(t, false)
	c := re.NewActionCacheClient(conn)
	in, err := store.PutBytes([]byte("abc"))
	require.NoError(t, err)
	tree, err := store.PutMessage(&re.Tree{Root: &re.Directory{}, Children: []*re.Directory{{Files: []*re.FileNode{{Name: "f", Digest: none}}}}})
	require.NoError(t, err)
	odd, err := store.PutMessage(&re.Tree{Root: &re.Directory{Files: []*re.FileNode{{Name: "f", Digest: &re.Digest{Hash: strings.Repeat("x", 3<<20)}}}}})
	require.NoError(t, err)
	for name, r := range map[string]*re.ActionResult{
		"a file":           {OutputFiles: []*re.OutputFile{{Path: "x", Digest: in}, {Path: "y", Digest: none}}},
		"a tree":           {OutputDirectories: []*re.OutputDirectory{{Path: "x", TreeDigest: none}}},
		"a file of a tree": {OutputDirectories: []*re.OutputDirectory{{Path: "x", TreeDigest: tree}}},
		"a folder":         {OutputDirectories: []*re.OutputDirectory{{Path: "x", RootDirectoryDigest: none}}},
		"what it printed":  {StderrDigest: none},
	} {
		_, err := c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, ActionResult: r})
		is(t, codes.FailedPrecondition, string(cas.CodeNoBlob), err)
		violations := status.Convert(err).Details()[0].(*errdetails.PreconditionFailure).Violations
		require.Equal(t, cas.Name(none), violations[0].Subject, name)
		_, err = c.GetActionResult(ctx, &re.GetActionResultRequest{ActionDigest: abc})
		require.Equal(t, codes.NotFound, status.Code(err), name)
	}
	for d, text := range map[*re.Digest]string{in: string(cas.CodeMessage), odd: string(cas.CodeDigest)} {
		_, err = c.UpdateActionResult(ctx, &re.UpdateActionResultRequest{ActionDigest: abc, ActionResult: &re.ActionResult{
			OutputDirectories: []*re.OutputDirectory{{Path: "x", TreeDigest: d}},
		}})
		is(t, codes.InvalidArgument, text, err)
	}

	// An action whose output is a blob no more runs again.
	first := execute(t, conn, store, "Copy", "cat in in > out", in)
	store.Drop(first.Result.OutputFiles[0].Digest)
	again := execute(t, conn, store, "Copy", "cat in in > out", in)
	require.False(t, again.CachedResult)
	require.True(t, store.Has(again.Result.OutputFiles[0].Digest))
	require.True(t, execute(t, conn, store, "Copy", "cat in in > out", in).CachedResult)
}

// A client whose deadline comes first is told apart from an action that is late.
func TestGone(t *testing.T) {
	log := &locked{}
	conn, store, _ := serve(t, false, func(s *Server) { s.log = log })
	command, err := store.PutMessage(&re.Command{Arguments: []string{"/bin/sleep", "60"}})
	require.NoError(t, err)
	root, err := store.PutMessage(&re.Directory{})
	require.NoError(t, err)
	action, err := store.PutMessage(&re.Action{CommandDigest: command, InputRootDigest: root})
	require.NoError(t, err)
	over, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	stream, err := re.NewExecutionClient(conn).Execute(over, &re.ExecuteRequest{ActionDigest: action})
	require.NoError(t, err)
	_, err = stream.Recv()
	require.Equal(t, codes.DeadlineExceeded, status.Code(err))
	require.Eventually(t, func() bool { return bytes.Contains(log.bytes(), []byte(worker.CodeGone)) }, 20*time.Second, time.Millisecond)
	require.NotContains(t, string(log.bytes()), "2h0m0s")
}

// locked is a log that is read while it is written.
type locked struct {
	mu sync.Mutex
	b  []byte
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	return len(p), nil
}

func (l *locked) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.b)
}
