// ireert: IREE's runtime behind a flat C API, for a loader that has no C
// compiler (Go with purego).
//
// Arguments are pointers and 32- or 64-bit integers; no struct is passed or
// returned by value. A call that can fail takes (err, errcap) and returns 0, or
// one of IREE's status codes (> 0) with its text in err: NUL-ended, at most
// errcap bytes, "..." at the end when it was cut. A NULL pointer or a size that
// makes no sense is such an error (INVALID_ARGUMENT), never a crash; what
// cannot be checked is that a pointer points to as many bytes as it says.
//
// There is no thread-local state: a call may come from any thread of the
// process. One session belongs to one thread at a time.
#ifndef SKAINET_IREERT_H_
#define SKAINET_IREERT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IREERT_API __attribute__((visibility("default")))

// The number ireert_abi gives. It changes when a call or ireert_tensor does, or one is
// added.
#define IREERT_ABI 2

// The most dimensions of a tensor.
#define IREERT_MAX_RANK 8

typedef struct ireert_session ireert_session;

// Element types, in IREE's numbering; others pass through unchanged.
enum {
  IREERT_F16 = 0x21000010,
  IREERT_BF16 = 0x22000010,
  IREERT_F32 = 0x21000020,
  IREERT_F64 = 0x21000040,
  IREERT_I8 = 0x10000008,
  IREERT_I16 = 0x10000010,
  IREERT_I32 = 0x10000020,
  IREERT_I64 = 0x10000040,
  IREERT_U8 = 0x12000008,
  IREERT_BOOL8 = 0x13000008,
};

// Flags of a tensor.
enum {
  IREERT_KEEP = 1,    // result: stays on the device, its handle is given
  IREERT_SCALAR = 2,  // argument, result: a plain i32, i64, f32 or f64, no tensor
};

// One argument or result. 104 bytes, 8-aligned.
typedef struct ireert_tensor {
  // Argument: the bytes to send. Result: where to copy them, or NULL.
  void* data;
  // Argument: bytes at data, exactly those of the shape. Result: before the
  // call the room at data, after it the bytes of the result; when there was
  // less room nothing was copied, and the shape is filled all the same.
  int64_t nbytes;
  // Argument: a kept result to pass in place of data. Result: with IREERT_KEEP
  // the kept buffer, to be given to ireert_release once; else NULL.
  void* handle;
  int32_t dtype;
  int32_t flags;
  int32_t rank;
  int32_t reserved;
  int64_t dims[IREERT_MAX_RANK];
} ireert_tensor;

// Gives IREERT_ABI of the library.
IREERT_API int32_t ireert_abi(void);

// Writes the comma-separated names of the drivers compiled in.
IREERT_API int32_t ireert_drivers(char* out, int64_t cap, char* err, int64_t errcap);

// Opens a device and a session on it. driver: "local-sync" (the calling
// thread), "local-task" (the calling thread and others), "vulkan", "cuda". The library of a GPU's
// driver is loaded here, and the error says if it is missing. device: NULL or "" for the
// driver's default, else a path or ordinal that the driver knows. workers:
// threads of local-task, 0 for one per physical core; results do not depend on it.
IREERT_API int32_t ireert_open(const char* driver, const char* device, int32_t workers,
                               ireert_session** out, char* err, int64_t errcap);

// Adds an .irpa archive to a scope of parameters, which may have several with other
// keys; a key that is in two is refused (ALREADY_EXISTS). Before the first program is
// loaded, at most 8 scopes. An archive may come from anywhere: one that is damaged is
// refused (DATA_LOSS) with a code of the Go package io/irpa and where it is, as in
// "IRPA_BAD_RANGE: byte 240: ...". mode 0 maps the file (no copy on a CPU; it must not
// change while the session lives), mode 1 reads it.
IREERT_API int32_t ireert_params(ireert_session* session, const char* scope, const char* path,
                                 int32_t mode, char* err, int64_t errcap);

// Adds an archive that lies in memory, which must stay as it is, 64-aligned, while the
// session lives.
IREERT_API int32_t ireert_params_memory(ireert_session* session, const char* scope,
                                        const void* data, int64_t size, char* err, int64_t errcap);

// Loads a .vmfb, from a file or from memory that is copied. A program is code and is
// trusted like a library that is loaded: one that is damaged, or made to do harm, can
// end the process, and do whatever the process may. One whose code has instructions that
// the processor lacks is refused (INCOMPATIBLE, "PROGRAM_CPU: ...").
IREERT_API int32_t ireert_load_file(ireert_session* session, const char* path, char* err,
                                    int64_t errcap);
IREERT_API int32_t ireert_load_memory(ireert_session* session, const void* data, int64_t size,
                                      char* err, int64_t errcap);

// Opens a session on the device of another one, with no archive and no program yet. The
// two then take from it what they have in common; each has state of its own, and may be
// used by a thread of its own. Either may be closed first.
IREERT_API int32_t ireert_share(ireert_session* of, ireert_session** out, char* err,
                                int64_t errcap);

// Takes the archives of a scope from another session, where they stay mapped once. The
// scope has no others then.
IREERT_API int32_t ireert_params_shared(ireert_session* session, ireert_session* of,
                                        const char* scope, char* err, int64_t errcap);

// Loads the programs of another session, whose bytes are in memory once.
IREERT_API int32_t ireert_load_shared(ireert_session* session, ireert_session* of, char* err,
                                      int64_t errcap);

// Gives the bytes of the archives that a session opened, those of the archives that it
// shares with the session that did, and what is allocated on its device, by all sessions
// on it. A mapped archive is none of the last on a CPU, where it is used in place.
IREERT_API int32_t ireert_memory(ireert_session* session, int64_t* own, int64_t* shared,
                                 int64_t* device, char* err, int64_t errcap);

// Finds "module.function"; the index written to out is good for ireert_call as
// long as the session lives. At most 256 per session.
IREERT_API int32_t ireert_func(ireert_session* session, const char* name, int32_t* out, char* err,
                               int64_t errcap);

// Gives how many arguments a function takes and how many results it gives.
IREERT_API int32_t ireert_arity(ireert_session* session, int32_t func, int32_t* nin, int32_t* nout,
                                char* err, int64_t errcap);

// Calls a function and waits for its results. nout must be their number. When
// the call fails no result is kept.
IREERT_API int32_t ireert_call(ireert_session* session, int32_t func, ireert_tensor* ins,
                               int32_t nin, ireert_tensor* outs, int32_t nout, char* err,
                               int64_t errcap);

// Copies bytes [offset, offset + n) of a kept result.
IREERT_API int32_t ireert_read(ireert_session* session, void* handle, int64_t offset, void* out,
                               int64_t n, char* err, int64_t errcap);

// Gives a kept result back; NULL is allowed.
IREERT_API void ireert_release(void* handle);

// Ends a session; NULL is allowed. Kept results must have been released.
IREERT_API void ireert_close(ireert_session* session);

#ifdef __cplusplus
}
#endif

#endif  // SKAINET_IREERT_H_
