// Package server implements the Remote Execution API v2 for tests on loopback:
// capabilities, content-addressable storage, byte stream, action cache and
// execution, in one process.
//
// # Errors
//
// REAPI_RESOURCE, REAPI_COMPRESSED, REAPI_BUSY, and what cas and worker say, each
// as a gRPC status whose message is the coded error. An action or a result whose
// blobs are missing fails with FAILED_PRECONDITION and the violations that clients
// upload by.
//
// # Determinism
//
// Answers depend on the store and the actions alone; operations are numbered.
//
// # Untrusted input
//
// The server listens where it is told and trusts its clients with what their
// actions may do; see worker. Names and digests are checked, messages of up to
// 4 MiB received, batches of 2 MiB, and 256 MiB of results kept. Compressed blobs
// are read as far as their digests say, through windows of up to 16 MiB, of which
// there are 16 at a time.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	lro "cloud.google.com/go/longrunning/autogen/longrunningpb"
	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/bazelbuild/remote-apis/build/bazel/semver"
	"golang.org/x/sync/semaphore"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

const (
	// CodeResource is for requests that name no blob or result, or no part of one.
	CodeResource errs.Code = "REAPI_RESOURCE"
	// CodeCompressed is for blobs with an unknown compression.
	CodeCompressed errs.Code = "REAPI_COMPRESSED"
	// CodeBusy says that there is no memory for another transfer.
	CodeBusy errs.Code = "REAPI_BUSY"
)

// Of a batch: bytes and blobs. Both together stay below the 4 MiB that gRPC receives
// in a message, with what an answer says of each blob.
const (
	maxBatch = 2 << 20
	maxBlobs = 2000
)

// test is the mnemonic of actions that run tests.
const test = "TestRunner"

// Action is a line of the log: one action that was asked for.
type Action struct {
	Mnemonic string  `json:"mnemonic"`
	Target   string  `json:"target"`
	Digest   string  `json:"digest"`
	Cached   bool    `json:"cached"` // the result was cached
	Exit     int32   `json:"exit"`
	Seconds  float64 `json:"seconds"` // of all runs
	Fault    string  `json:"fault,omitempty"`
}

// Server holds the services.
type Server struct {
	re.UnimplementedContentAddressableStorageServer
	re.UnimplementedActionCacheServer
	re.UnimplementedExecutionServer
	re.UnimplementedCapabilitiesServer
	bytestream.UnimplementedByteStreamServer

	store  *cas.Store
	worker *worker.Worker
	twice  bool
	slots  *semaphore.Weighted
	number atomic.Int64

	coders    *semaphore.Weighted
	coderWait time.Duration

	results *results

	mu  sync.Mutex
	log io.Writer // a line of JSON for each Action
}

// Options configures how actions run.
type Options struct {
	Jobs  int64     // at a time
	Twice bool      // run them again and compare; tests but once, since their logs have times in them
	Log   io.Writer // gets an Action for each
}

// New makes the services over a store and a worker.
func New(store *cas.Store, w *worker.Worker, o Options) *Server {
	return &Server{
		store: store, worker: w, twice: o.Twice, log: o.Log,
		slots: semaphore.NewWeighted(o.Jobs), results: newResults(),
		coders: semaphore.NewWeighted(maxCoders), coderWait: coderWait,
	}
}

// GRPC returns a gRPC server with all services.
func (s *Server) GRPC() *grpc.Server {
	g := grpc.NewServer(grpc.MaxConcurrentStreams(1000))
	re.RegisterContentAddressableStorageServer(g, s)
	re.RegisterActionCacheServer(g, s)
	re.RegisterExecutionServer(g, s)
	re.RegisterCapabilitiesServer(g, s)
	bytestream.RegisterByteStreamServer(g, s)
	return g
}

// rpc turns a coded error into a status.
func rpc(err error) error {
	if err == nil {
		return nil
	}
	code := codes.FailedPrecondition
	switch errs.CodeOf(err) {
	case "":
		if _, ok := status.FromError(err); ok {
			return err
		}
		code = codes.Internal
	case cas.CodeNoBlob:
		code = codes.NotFound
	case cas.CodeDigest, cas.CodeMessage, cas.CodeLimit, worker.CodePath, CodeResource, CodeCompressed:
		code = codes.InvalidArgument
	case cas.CodeState:
		code = codes.Internal
	case CodeBusy:
		code = codes.ResourceExhausted
	case worker.CodeTimeout:
		code = codes.DeadlineExceeded
	case worker.CodeGone:
		code = status.FromContextError(err).Code()
	}
	return status.Error(code, err.Error())
}

// GetCapabilities implements the service.
func (s *Server) GetCapabilities(context.Context, *re.GetCapabilitiesRequest) (*re.ServerCapabilities, error) {
	sha := []re.DigestFunction_Value{re.DigestFunction_SHA256}
	zstd := []re.Compressor_Value{re.Compressor_ZSTD}
	return &re.ServerCapabilities{
		CacheCapabilities: &re.CacheCapabilities{
			DigestFunctions:                 sha,
			MaxBatchTotalSizeBytes:          maxBatch,
			MaxCasBlobSizeBytes:             cas.MaxBlob,
			SupportedCompressors:            zstd,
			SupportedBatchUpdateCompressors: zstd,
			SymlinkAbsolutePathStrategy:     re.SymlinkAbsolutePathStrategy_ALLOWED,
			ActionCacheUpdateCapabilities:   &re.ActionCacheUpdateCapabilities{UpdateEnabled: true},
		},
		ExecutionCapabilities: &re.ExecutionCapabilities{
			DigestFunction: re.DigestFunction_SHA256, DigestFunctions: sha, ExecEnabled: true,
		},
		LowApiVersion:  &semver.SemVer{Major: 2},
		HighApiVersion: &semver.SemVer{Major: 2, Minor: 3},
	}, nil
}

// Execute implements the service. The only answer is that of the finished
// action; the stream stays open as long as it runs.
func (s *Server) Execute(r *re.ExecuteRequest, out re.Execution_ExecuteServer) error {
	entry := Action{Digest: r.ActionDigest.GetHash()}
	entry.Mnemonic, entry.Target = origin(out.Context())
	begun := time.Now()
	response, err := s.execute(out.Context(), r, s.twice && entry.Mnemonic != test)
	if err != nil {
		entry.Fault = err.Error()
		response = &re.ExecuteResponse{Status: s.failure(err).Proto()}
	}
	entry.Cached, entry.Exit = response.CachedResult, response.GetResult().GetExitCode()
	entry.Seconds = time.Since(begun).Seconds()
	if err := s.record(entry); err != nil {
		return rpc(err)
	}
	packed, err := anypb.New(response)
	if err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	return out.Send(&lro.Operation{
		Name: fmt.Sprintf("operations/%d", s.number.Add(1)), Done: true,
		Result: &lro.Operation_Response{Response: packed},
	})
}

func (s *Server) execute(ctx context.Context, r *re.ExecuteRequest, twice bool) (*re.ExecuteResponse, error) {
	if err := errorOf(function(r.DigestFunction), cas.Check(r.ActionDigest)); err != nil {
		return nil, err
	}
	if !r.SkipCacheLookup {
		if a := s.result(r.ActionDigest); a != nil {
			return &re.ExecuteResponse{Result: a, CachedResult: true}, nil
		}
	}
	var a re.Action
	if err := s.store.Message(r.ActionDigest, &a); err != nil {
		return nil, err
	}
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	defer s.slots.Release(1)
	result, err := s.worker.Run(ctx, &a, twice)
	if err != nil {
		return nil, err
	}
	if result.ExitCode == 0 && !a.DoNotCache {
		s.results.keep(r.ActionDigest, result)
	}
	return &re.ExecuteResponse{Result: result}, nil
}

// failure is the status of an action that could not run; missing blobs are
// named so that the client uploads them.
func (s *Server) failure(err error) *status.Status {
	var coded *errs.Error
	if !errors.As(err, &coded) || coded.Code != cas.CodeNoBlob {
		return status.Convert(rpc(err))
	}
	st := status.New(codes.FailedPrecondition, err.Error())
	with, detail := st.WithDetails(&errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{
		{Type: "MISSING", Subject: coded.Node},
	}})
	if detail != nil {
		return st
	}
	return with
}

// origin is what the request's metadata says about an action.
func origin(ctx context.Context) (mnemonic, target string) {
	md, _ := metadata.FromIncomingContext(ctx)
	var m re.RequestMetadata
	for _, v := range md.Get("build.bazel.remote.execution.v2.requestmetadata-bin") {
		if proto.Unmarshal([]byte(v), &m) != nil {
			return "", ""
		}
	}
	return m.ActionMnemonic, m.TargetId
}

func (s *Server) record(a Action) error {
	line, err := json.Marshal(a)
	if err != nil {
		return errs.Wrap(cas.CodeState, err, "the log")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.log.Write(append(line, '\n')); err != nil {
		return errs.Wrap(cas.CodeState, err, "the log")
	}
	return nil
}
