// Package cas keeps blobs on disk by their sha256, for the remote execution
// server that tests run on loopback.
//
// A blob is a read-only file CAS/ab/abcd...; it is written beside its place,
// checked, and renamed, so that every blob is complete. Its time is always the same,
// so that a blob that was written to through a link is no longer valid.
//
// # Errors
//
// REAPI_NO_BLOB, REAPI_DIGEST, REAPI_MESSAGE, REAPI_LIMIT and REAPI_STATE, which
// wraps the file system's error.
//
// # Determinism
//
// Messages are stored in protobuf's deterministic form.
//
// # Untrusted input
//
// A digest that is not a sha256 in lower-case hexadecimal names no blob, so no path
// is made from it; one with another length than its blob names none either. Blobs
// have up to 8 GiB, messages up to 8 MiB.
package cas

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
)

const (
	// CodeNoBlob says that a blob is not in the store.
	CodeNoBlob errs.Code = "REAPI_NO_BLOB"
	// CodeDigest says that bytes do not match their digest, or that a digest is invalid.
	CodeDigest errs.Code = "REAPI_DIGEST"
	// CodeMessage says that a blob is not the message that it is used as.
	CodeMessage errs.Code = "REAPI_MESSAGE"
	// CodeLimit says that something is larger than this server accepts.
	CodeLimit errs.Code = "REAPI_LIMIT"
	// CodeState wraps an error of the store's file system.
	CodeState errs.Code = "REAPI_STATE"
)

// Limits in bytes: of a blob that is read into memory, such as a folder of some
// 80 000 files, and of one that is stored.
const (
	MaxMessage = 8 << 20
	MaxBlob    = 8 << 30
)

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// nothing is the sha256 of no bytes.
const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Store is a folder of blobs.
type Store struct {
	blobs, uploads string
	limit          int64 // MaxBlob, but in tests
}

// Open opens a folder as a store, which it may already be.
func Open(root string) (*Store, error) {
	s := &Store{blobs: filepath.Join(root, "cas"), uploads: filepath.Join(root, "uploads"), limit: MaxBlob}
	for _, dir := range []string{s.blobs, s.uploads} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, state(err)
		}
	}
	return s, nil
}

func state(err error) error {
	return errs.Wrap(CodeState, err, "the server's folder").Hint("give it a folder that it may write, with room")
}

// Check rejects what is not a sha256 digest, such as a missing one, and sizes above the
// limit.
func Check(d *re.Digest) error {
	switch {
	case d == nil:
		return errs.New(CodeDigest, "a digest is missing").Hint("set every digest of the request and of what it names")
	case !hash.MatchString(d.Hash) || d.SizeBytes < 0 || (d.Hash == nothing) != (d.SizeBytes == 0):
		return errs.New(CodeDigest, "%.80q of %d bytes is not a sha256 digest", d.Hash, d.SizeBytes).
			Hint("give 64 lower-case hexadecimal digits and the number of bytes")
	case d.SizeBytes > MaxBlob:
		return errs.New(CodeLimit, "it has more than %d bytes", int64(MaxBlob)).On(Name(d)).Hint("split it, as skainet pack --max-shard-size does")
	}
	return nil
}

// Name is how messages and clients name a blob.
func Name(d *re.Digest) string { return fmt.Sprintf("blobs/%s/%d", d.GetHash(), d.GetSizeBytes()) }

func (s *Store) path(d *re.Digest) string { return filepath.Join(s.blobs, d.Hash[:2], d.Hash) }

// Has reports whether the store has a blob of that digest and length. It always
// has the empty blob.
func (s *Store) Has(d *re.Digest) bool {
	if Check(d) != nil {
		return false
	}
	if d.SizeBytes == 0 {
		return true
	}
	var st unix.Stat_t
	return unix.Lstat(s.path(d), &st) == nil && sealed(&st, d)
}

// Open returns a blob's bytes.
func (s *Store) Open(d *re.Digest) (io.ReadSeekCloser, error) {
	if err := Check(d); err != nil {
		return nil, err
	}
	if d.SizeBytes == 0 {
		return empty{bytes.NewReader(nil)}, nil
	}
	f, err := os.Open(s.path(d))
	if errors.Is(err, os.ErrNotExist) {
		return nil, absent(d)
	}
	if err != nil {
		return nil, state(err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		f.Close()
		return nil, state(err)
	}
	if !sealed(&st, d) {
		f.Close()
		return nil, absent(d)
	}
	return f, nil
}

func absent(d *re.Digest) error {
	return errs.New(CodeNoBlob, "it is not in the store").On(Name(d)).Hint("send it first")
}

type empty struct{ *bytes.Reader }

func (empty) Close() error { return nil }

// Bytes reads a blob of up to MaxMessage bytes.
func (s *Store) Bytes(d *re.Digest) ([]byte, error) {
	if d.GetSizeBytes() > MaxMessage {
		return nil, errs.New(CodeLimit, "it is longer than %d bytes", MaxMessage).On(Name(d)).Hint("read it through the byte stream")
	}
	r, err := s.Open(d)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, d.SizeBytes))
	if err != nil {
		return nil, state(err)
	}
	return b, nil
}

// Message reads a blob as a message.
func (s *Store) Message(d *re.Digest, m proto.Message) error {
	b, err := s.Bytes(d)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(b, m); err != nil {
		return errs.Wrap(CodeMessage, err, "it is no %s", m.ProtoReflect().Descriptor().FullName()).On(Name(d))
	}
	return nil
}

// Put stores the bytes of r. With want, bytes with another digest are
// rejected; reading stops after its length.
func (s *Store) Put(r io.Reader, want *re.Digest) (*re.Digest, error) {
	if want != nil {
		if err := Check(want); err != nil {
			return nil, err
		}
		r = io.LimitReader(r, want.SizeBytes+1)
	} else {
		r = io.LimitReader(r, s.limit+1)
	}
	f, err := os.CreateTemp(s.uploads, "upload")
	if err != nil {
		return nil, state(err)
	}
	defer os.Remove(f.Name())
	sum := sha256.New()
	source := &reader{Reader: r}
	n, err := io.Copy(io.MultiWriter(f, sum), source)
	if source.err != nil {
		f.Close()
		return nil, source.err
	}
	if want == nil && n > s.limit {
		f.Close()
		return nil, errs.New(CodeLimit, "a blob has more than %d bytes", s.limit).Hint("split it")
	}
	if err := errors.Join(err, seal(f)); err != nil {
		return nil, state(err)
	}
	d := &re.Digest{Hash: hex.EncodeToString(sum.Sum(nil)), SizeBytes: n}
	if want != nil && (d.Hash != want.Hash || d.SizeBytes != want.SizeBytes) {
		return nil, errs.New(CodeDigest, "the bytes sent, at least %d, have the digest %s, not %s of %d bytes", n, d.Hash, want.Hash, want.SizeBytes)
	}
	place := s.path(d)
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return nil, state(err)
	}
	if err := os.Rename(f.Name(), place); err != nil {
		return nil, state(err)
	}
	return d, nil
}

// reader separates the errors of the source from those of the file.
type reader struct {
	io.Reader
	err error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// PutBytes stores b.
func (s *Store) PutBytes(b []byte) (*re.Digest, error) {
	sum := sha256.Sum256(b)
	d := &re.Digest{Hash: hex.EncodeToString(sum[:]), SizeBytes: int64(len(b))}
	if s.Has(d) {
		return d, nil
	}
	return s.Put(bytes.NewReader(b), d)
}

// PutMessage stores m.
func (s *Store) PutMessage(m proto.Message) (*re.Digest, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, errs.Wrap(CodeMessage, err, "a message to store")
	}
	return s.PutBytes(b)
}

// Link makes path a hard link to a blob; of the empty one, a new file.
func (s *Store) Link(d *re.Digest, path string) error {
	if err := Check(d); err != nil {
		return err
	}
	if d.SizeBytes == 0 {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, sealedMode)
		if err != nil {
			return state(err)
		}
		if err := seal(f); err != nil {
			return state(err)
		}
		return nil
	}
	if !s.Has(d) {
		return absent(d)
	}
	if err := os.Link(s.path(d), path); err != nil {
		return state(err)
	}
	return nil
}

// Drop removes a blob, such as one that was written to through a link.
func (s *Store) Drop(d *re.Digest) {
	if Check(d) == nil {
		_ = os.Remove(s.path(d))
	}
}
