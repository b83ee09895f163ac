package server

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

func compress(t *testing.T, b []byte) []byte {
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return z.EncodeAll(b, nil)
}

func compressedName(d *re.Digest) string {
	return "compressed-" + cas.Name(d)[:len("blobs/")] + "zstd/" + cas.Name(d)[len("blobs/"):]
}

func all(t *testing.T, c bytestream.ByteStreamClient, r *bytestream.ReadRequest) ([]byte, error) {
	s, err := c.Read(ctx, r)
	require.NoError(t, err)
	var got []byte
	for {
		m, err := s.Recv()
		if err == io.EOF { //nolint:errorlint // gRPC gives it bare
			return got, nil
		}
		if err != nil {
			return nil, err
		}
		got = append(got, m.Data...)
	}
}

// chance is bytes that do not compress.
func chance(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i+8 <= n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], r.Uint64())
	}
	return b
}

// Blobs go in and out compressed, whichever way they came.
func TestZstd(t *testing.T) {
	conn, store, _ := start(t, false)
	c := bytestream.NewByteStreamClient(conn)
	for _, want := range [][]byte{nil, []byte("abc"), bytes.Repeat([]byte("text "), 1<<20), chance(5 << 20)} {
		d, err := store.PutBytes(want)
		require.NoError(t, err)
		store.Drop(d)
		packed := compress(t, want)
		var pieces []*bytestream.WriteRequest
		for at := 0; at == 0 || at < len(packed); at += 1 << 20 {
			end := min(at+1<<20, len(packed))
			pieces = append(pieces, &bytestream.WriteRequest{
				ResourceName: "uploads/1/" + compressedName(d), WriteOffset: int64(at), Data: packed[at:end], FinishWrite: end == len(packed),
			})
		}
		r, err := write(t, c, pieces...)
		require.NoError(t, err)
		if len(want) > 0 { // the empty blob is always there
			require.Equal(t, int64(len(packed)), r.CommittedSize)
			require.True(t, store.Has(d))
		}
		r, err = write(t, c, pieces[0])
		require.NoError(t, err)
		require.Equal(t, int64(-1), r.CommittedSize, "it is there")

		plain, err := all(t, c, &bytestream.ReadRequest{ResourceName: cas.Name(d)})
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, plain))
		for _, offset := range []int{0, len(want) / 2, len(want)} {
			got, err := all(t, c, &bytestream.ReadRequest{ResourceName: compressedName(d), ReadOffset: int64(offset)})
			require.NoError(t, err)
			if len(want) > 100 && want[0] == 't' && offset == 0 {
				require.Less(t, len(got), len(want)/100)
			}
			require.True(t, bytes.Equal(want[offset:], unzipped(t, got)))
		}
	}
}

// unzipped is what the zstd program makes of b, where there is one, and what the
// library makes of it.
func unzipped(t *testing.T, b []byte) []byte {
	z, err := zstd.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	defer z.Close()
	got, err := io.ReadAll(z)
	require.NoError(t, err)
	if program, err := exec.LookPath("zstd"); err == nil && len(b) > 0 {
		cmd := exec.Command(program, "-dc")
		cmd.Stdin = bytes.NewReader(b)
		other, err := cmd.Output()
		require.NoError(t, err)
		require.True(t, bytes.Equal(other, got))
	}
	return got
}

func TestZstdBatch(t *testing.T) {
	conn, store, _ := start(t, false)
	c := re.NewContentAddressableStorageClient(conn)
	bomb := compress(t, make([]byte, 64<<20))
	put, err := c.BatchUpdateBlobs(ctx, &re.BatchUpdateBlobsRequest{Requests: []*re.BatchUpdateBlobsRequest_Request{
		{Digest: abc, Data: compress(t, []byte("abc")), Compressor: re.Compressor_ZSTD},
		{Digest: none, Data: bomb, Compressor: re.Compressor_ZSTD},
		{Digest: none, Data: []byte("12345"), Compressor: re.Compressor_ZSTD},
		{Digest: none, Data: []byte("12345"), Compressor: re.Compressor_DEFLATE},
	}})
	require.NoError(t, err)
	require.Zero(t, put.Responses[0].GetStatus().GetCode())
	require.True(t, store.Has(abc))
	for i, text := range map[int]string{1: string(cas.CodeDigest), 2: string(CodeCompressed), 3: "DEFLATE"} {
		err := status.FromProto(put.Responses[i].Status).Err()
		require.Equal(t, codes.InvalidArgument, status.Code(err), "%d", i)
		require.ErrorContains(t, err, text)
	}
	got, err := c.BatchReadBlobs(ctx, &re.BatchReadBlobsRequest{Digests: []*re.Digest{abc}, AcceptableCompressors: []re.Compressor_Value{re.Compressor_ZSTD}})
	require.NoError(t, err)
	require.Equal(t, re.Compressor_IDENTITY, got.Responses[0].Compressor)
	require.Equal(t, "abc", string(got.Responses[0].Data))
}

// What is not zstd, is more than it says, wants much memory or never ends.
func TestZstdFaults(t *testing.T) {
	conn, store, _ := start(t, false)
	c := bytestream.NewByteStreamClient(conn)
	good := compress(t, []byte("abc"))
	damaged := bytes.Clone(good)
	damaged[len(damaged)-1] ^= 1 // of the checksum
	// A frame header (RFC 8878, 3.1.1.1) with a window of 2^(10+21) bytes.
	window := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3}, 0x01, 0x00, 0x00)
	// Skippable frames (3.1.2) of no bytes, without end.
	skip := bytes.Repeat([]byte{0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0}, 1<<16)
	for name, x := range map[string]struct {
		data []byte
		text string
	}{
		"no zstd":       {[]byte("abc"), string(CodeCompressed)},
		"cut":           {good[:len(good)-2], string(CodeCompressed)},
		"damaged":       {damaged, string(CodeCompressed)},
		"another blob":  {compress(t, []byte("abd")), string(cas.CodeDigest)},
		"a bomb":        {compress(t, make([]byte, 1<<30)), string(cas.CodeDigest)},
		"a window":      {window, "a window of up to 16777216 bytes"},
		"empty frames":  {skip, "more bytes than zstd makes"},
		"nothing":       {nil, string(cas.CodeDigest)},
		"one after all": {append(bytes.Clone(good), compress(t, []byte("x"))...), string(cas.CodeDigest)},
	} {
		_, err := write(t, c, &bytestream.WriteRequest{ResourceName: compressedName(abc), Data: x.data, FinishWrite: true})
		require.Equal(t, codes.InvalidArgument, status.Code(err), "%s: %v", name, err)
		require.ErrorContains(t, err, x.text, name)
		require.False(t, store.Has(abc), name)
	}
	// A stream that ends, and pieces in the wrong place, are not faults of zstd.
	_, err := write(t, c, &bytestream.WriteRequest{ResourceName: compressedName(abc), Data: good[:4]})
	is(t, codes.InvalidArgument, "without its last piece", err)
	_, err = write(t, c, &bytestream.WriteRequest{ResourceName: compressedName(abc), Data: good[:4]}, &bytestream.WriteRequest{WriteOffset: 3})
	is(t, codes.InvalidArgument, "at byte 3, after 4", err)

	_, err = store.Put(strings.NewReader("abc"), abc)
	require.NoError(t, err)
	_, err = all(t, c, &bytestream.ReadRequest{ResourceName: compressedName(abc), ReadLimit: 1})
	is(t, codes.InvalidArgument, "leave out the limit", err)
}
