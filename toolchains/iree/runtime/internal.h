// What the files of ireert share.
#ifndef SKAINET_IREERT_INTERNAL_H_
#define SKAINET_IREERT_INTERNAL_H_

#include "iree/async/util/proactor_pool.h"
#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_loader.h"
#include "iree/io/parameter_index.h"
#include "iree/io/parameter_provider.h"
#include "iree/modules/hal/module.h"
#include "iree/runtime/api.h"
#include "iree/vm/api.h"
#include "ireert.h"

#define IREERT_MAX_SCOPES 8
#define IREERT_MAX_FUNCS 256
#define IREERT_WORKER_STACK (1 << 20)

// An archive that was read into the index of a scope.
typedef struct ireert_archive {
  int32_t scope;
  iree_host_size_t first;  // of its entries in the index
  int64_t size;            // of the file
  int32_t shared;          // another session opened it
  char* name;
} ireert_archive;

struct ireert_session {
  iree_runtime_session_t* session;
  iree_hal_device_t* device;
  iree_hal_allocator_t* allocator;
  // A provider serves a scope from its index, into which each archive is read.
  iree_io_parameter_provider_t* providers[IREERT_MAX_SCOPES];
  iree_io_parameter_index_t* indexes[IREERT_MAX_SCOPES];
  int32_t shared[IREERT_MAX_SCOPES];  // another session's, which is not added to
  int32_t provider_count;
  ireert_archive* archives;
  int32_t archive_count;
  int32_t has_params_module;
  iree_host_size_t first_program;  // place of the first in the list of modules
  iree_vm_function_t funcs[IREERT_MAX_FUNCS];
  int32_t func_count;
  iree_vm_list_t* inputs;
  iree_vm_list_t* outputs;
};

// Turns a status into its code and text; the status is consumed.
int32_t ireert_done(iree_status_t status, char* err, int64_t errcap);

// The one instance of the process, made at the first use and kept.
iree_status_t ireert_instance(iree_runtime_instance_t** out);
iree_async_proactor_pool_t* ireert_proactors(void);

// The allocator of devices for CPUs and of their buffers, which keeps large blocks, and does
// not clear them beyond the first page; and a way to free what it keeps.
iree_allocator_t ireert_buffers(void);
void ireert_memory_trim(void);

// Makes a device; see ireert_open.
iree_status_t ireert_create_device(const char* driver, const char* path, int32_t workers,
                                   iree_hal_device_t** out);

// Puts loaders around these whose executables share the workgroups of a dispatch out to so
// many threads, the calling one among them; each keeps the one it is put around.
iree_status_t ireert_share_out(int32_t threads, iree_host_size_t loader_count,
                               iree_hal_executable_loader_t** loaders);

// Opens a session on a device, which is retained.
iree_status_t ireert_open_on(iree_hal_device_t* device, ireert_session** out);

// Fails once a program was loaded.
iree_status_t ireert_may_add_params(ireert_session* s);

// Notes an archive; its name is copied.
iree_status_t ireert_note_archive(ireert_session* s, ireert_archive note, const char* name);

// Adds the module that serves parameters, once, before the first program: only
// then are all scopes known. It is added without scopes too, so that a program
// whose archive was forgotten names the missing scope.
iree_status_t ireert_register_params(ireert_session* s);

// Fails for a program with code for CPUs none of whose forms the processor can run:
// INCOMPATIBLE, "PROGRAM_CPU: ...".
iree_status_t ireert_check_processor(iree_const_byte_span_t program);

// A key, the byte of its archive where its range lies, and its place among all.
typedef struct ireert_key {
  iree_string_view_t name;
  uint64_t at;
  iree_host_size_t order;
} ireert_key;

// Checks every range and number that an archive claims, and writes its keys, of which
// there are count, where keys is not NULL.
iree_status_t ireert_check_archive(iree_const_byte_span_t file, ireert_key* keys,
                                   iree_host_size_t* count);

// Sorts keys and gives the first, by order, whose name another has before it; NULL for
// none. The other is the one before it.
const ireert_key* ireert_second_key(ireert_key* keys, iree_host_size_t count);

// Fails unless every pointer that a call must have is there.
#define IREERT_REQUIRE(condition, err, errcap)                                              \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      return ireert_done(iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "want " #condition), \
                         err, errcap);                                                      \
    }                                                                                       \
  } while (0)

#endif  // SKAINET_IREERT_INTERNAL_H_
