// Sessions: parameters, programs, functions.
#include <string.h>

#include "internal.h"
#include "iree/io/file_handle.h"
#include "iree/io/formats/irpa/irpa_parser.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/modules/io/parameters/module.h"

iree_status_t ireert_open_on(iree_hal_device_t* device, ireert_session** out) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_runtime_instance_t* instance = NULL;
  ireert_session* s = NULL;
  iree_status_t status = ireert_instance(&instance);
  if (iree_status_is_ok(status)) {
    status = iree_allocator_malloc(allocator, sizeof(*s), (void**)&s);  // zeroed
  }
  if (iree_status_is_ok(status)) {
    s->device = device;
    iree_hal_device_retain(device);
    s->allocator = iree_hal_device_allocator(s->device);
    iree_runtime_session_options_t options;
    iree_runtime_session_options_initialize(&options);
    status = iree_runtime_session_create_with_device(instance, &options, s->device, allocator,
                                                     &s->session);
  }
  if (iree_status_is_ok(status)) {
    status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 8, allocator, &s->inputs);
  }
  if (iree_status_is_ok(status)) {
    status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 8, allocator, &s->outputs);
  }
  if (iree_status_is_ok(status)) {
    *out = s;
  } else {
    ireert_close(s);
  }
  return status;
}

int32_t ireert_open(const char* driver, const char* path, int32_t workers, ireert_session** out,
                    char* err, int64_t errcap) {
  IREERT_REQUIRE(driver && out, err, errcap);
  *out = NULL;
  iree_hal_device_t* device = NULL;
  iree_status_t status = ireert_create_device(driver, path, workers, &device);
  if (iree_status_is_ok(status)) status = ireert_open_on(device, out);
  iree_hal_device_release(device);
  return ireert_done(status, err, errcap);
}

void ireert_close(ireert_session* s) {
  if (!s) return;
  iree_vm_list_release(s->inputs);
  iree_vm_list_release(s->outputs);
  iree_runtime_session_release(s->session);
  for (int32_t i = 0; i < s->provider_count; ++i) {
    iree_io_parameter_provider_release(s->providers[i]);
    iree_io_parameter_index_release(s->indexes[i]);
  }
  for (int32_t i = 0; i < s->archive_count; ++i) {
    iree_allocator_free(iree_allocator_system(), s->archives[i].name);
  }
  iree_allocator_free(iree_allocator_system(), s->archives);
  iree_hal_device_release(s->device);
  ireert_memory_trim();
  iree_allocator_free(iree_allocator_system(), s);
}

static void ireert_unmap(void* user_data, iree_io_file_handle_primitive_t primitive) {
  (void)primitive;
  iree_io_file_mapping_release((iree_io_file_mapping_t*)user_data);
}

// Maps the whole file and passes the mapping off as host memory: a CPU device
// imports it without a copy, a GPU driver stages from it.
static iree_status_t ireert_map_file(const char* path, iree_io_file_handle_t** out) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_io_file_handle_t* file = NULL;
  iree_io_file_mapping_t* mapping = NULL;
  IREE_RETURN_IF_ERROR(
      iree_io_file_handle_open(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_SHARE_READ,
                               iree_make_cstring_view(path), allocator, &file));
  iree_status_t status =
      iree_io_file_map_view(file, IREE_IO_FILE_ACCESS_READ, 0, IREE_HOST_SIZE_MAX,
                            IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS, allocator, &mapping);
  if (iree_status_is_ok(status)) {
    iree_const_byte_span_t span = iree_io_file_mapping_contents_ro(mapping);
    iree_io_file_handle_release_callback_t callback = {ireert_unmap, mapping};
    status = iree_io_file_handle_wrap_host_allocation(
        IREE_IO_FILE_ACCESS_READ, iree_make_byte_span((void*)span.data, span.data_length), callback,
        allocator, out);
    if (!iree_status_is_ok(status)) iree_io_file_mapping_release(mapping);
  }
  iree_io_file_handle_release(file);
  return status;
}

// Gives the number of a scope, which is made with the scope's first archive.
static iree_status_t ireert_scope_of(ireert_session* s, iree_string_view_t scope, int32_t* out) {
  for (int32_t i = 0; i < s->provider_count; ++i) {
    if (iree_io_parameter_provider_query_support(s->providers[i], scope)) {
      *out = i;
      if (!s->shared[i]) return iree_ok_status();
      return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                              "the archives of the scope are those of another session");
    }
  }
  const int32_t at = s->provider_count;
  if (at == IREERT_MAX_SCOPES) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "at most %d scopes of a session",
                            IREERT_MAX_SCOPES);
  }
  iree_allocator_t allocator = iree_allocator_system();
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_create(allocator, &s->indexes[at]));
  iree_status_t status = iree_io_parameter_index_provider_create(
      scope, s->indexes[at], IREE_IO_PARAMETER_INDEX_PROVIDER_DEFAULT_MAX_CONCURRENT_OPERATIONS,
      allocator, &s->providers[at]);
  if (iree_status_is_ok(status)) {
    *out = s->provider_count++;
  } else {
    iree_io_parameter_index_release(s->indexes[at]);
    s->indexes[at] = NULL;
  }
  return status;
}

// Fails for a key that another entry of the scope has. keys has room for those of the
// scope before the archive's own.
static iree_status_t ireert_check_keys(ireert_session* s, int32_t scope, const char* scope_name,
                                       ireert_key* keys, iree_host_size_t before,
                                       iree_host_size_t count) {
  for (iree_host_size_t i = 0; i < before; ++i) {
    const iree_io_parameter_index_entry_t* entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(s->indexes[scope], i, &entry));
    keys[i] = (ireert_key){entry->key, 0, i};
  }
  for (iree_host_size_t i = 0; i < count; ++i) keys[before + i].order = before + i;
  const ireert_key* second = ireert_second_key(keys, before + count);
  if (!second) return iree_ok_status();
  const iree_host_size_t first = second[-1].order;
  if (first >= before) {
    return iree_make_status(IREE_STATUS_DATA_LOSS, "IRPA_DUPLICATE_NAME: byte %" PRIu64
                            ": another entry has the name %.*s", second->at,
                            (int)second->name.size, second->name.data);
  }
  const char* other = "";
  for (int32_t i = 0; i < s->archive_count; ++i) {
    const ireert_archive* a = &s->archives[i];
    if (a->scope == scope && a->first <= first) other = a->name;
  }
  return iree_make_status(IREE_STATUS_ALREADY_EXISTS, "%s::%.*s: the key is in %s as well",
                          scope_name, (int)second->name.size, second->name.data, other);
}

iree_status_t ireert_note_archive(ireert_session* s, ireert_archive note, const char* name) {
  iree_allocator_t allocator = iree_allocator_system();
  IREE_RETURN_IF_ERROR(iree_allocator_realloc(
      allocator, sizeof(*s->archives) * (iree_host_size_t)(s->archive_count + 1),
      (void**)&s->archives));
  ireert_archive* a = &s->archives[s->archive_count];
  *a = note;
  IREE_RETURN_IF_ERROR(iree_allocator_clone(
      allocator, iree_make_const_byte_span(name, strlen(name) + 1), (void**)&a->name));
  ++s->archive_count;
  return iree_ok_status();
}

// Checks an archive by its bytes and those that the scope has.
static iree_status_t ireert_check_params(ireert_session* s, int32_t scope, const char* scope_name,
                                         iree_const_byte_span_t bytes) {
  iree_allocator_t allocator = iree_allocator_system();
  const iree_host_size_t before = iree_io_parameter_index_count(s->indexes[scope]);
  iree_host_size_t count = 0;
  ireert_key* keys = NULL;
  IREE_RETURN_IF_ERROR(ireert_check_archive(bytes, NULL, &count));
  if (!count) return iree_ok_status();
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(allocator, sizeof(*keys) * (before + count), (void**)&keys));
  iree_status_t status = ireert_check_archive(bytes, keys + before, &count);
  if (iree_status_is_ok(status)) {
    status = ireert_check_keys(s, scope, scope_name, keys, before, count);
  }
  iree_allocator_free(allocator, keys);
  return status;
}

// Adds an archive, which errors call name; the file handle is released.
static iree_status_t ireert_add_params(ireert_session* s, const char* scope, const char* name,
                                       iree_io_file_handle_t* file) {
  iree_allocator_t allocator = iree_allocator_system();
  int32_t at = 0;
  iree_io_file_mapping_t* mapping = NULL;
  iree_status_t status = ireert_scope_of(s, iree_make_cstring_view(scope), &at);
  if (iree_status_is_ok(status)) {
    status = iree_io_file_map_view(file, IREE_IO_FILE_ACCESS_READ, 0, IREE_HOST_SIZE_MAX,
                                   IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS, allocator,
                                   &mapping);
  }
  ireert_archive note = {.scope = at};
  if (iree_status_is_ok(status)) {
    note.first = iree_io_parameter_index_count(s->indexes[at]);
    note.size = (int64_t)iree_io_file_mapping_contents_ro(mapping).data_length;
    status = ireert_check_params(s, at, scope, iree_io_file_mapping_contents_ro(mapping));
    iree_io_file_mapping_release(mapping);
  }
  if (iree_status_is_ok(status)) status = ireert_note_archive(s, note, name);
  if (iree_status_is_ok(status)) {
    status = iree_io_parse_irpa_index(file, s->indexes[at], allocator);
  }
  iree_io_file_handle_release(file);
  return status;
}

iree_status_t ireert_may_add_params(ireert_session* s) {
  if (!s->has_params_module) return iree_ok_status();
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                          "archives come before the first program");
}

int32_t ireert_params(ireert_session* s, const char* scope, const char* path, int32_t mode,
                      char* err, int64_t errcap) {
  IREERT_REQUIRE(s && scope && path && (mode == 0 || mode == 1), err, errcap);
  iree_io_file_handle_t* file = NULL;
  iree_status_t status = ireert_may_add_params(s);
  if (iree_status_is_ok(status) && mode == 0) {
    status = ireert_map_file(path, &file);
  } else if (iree_status_is_ok(status)) {
    status = iree_io_file_handle_open(
        IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_SHARE_READ | IREE_IO_FILE_MODE_ASYNC,
        iree_make_cstring_view(path), iree_allocator_system(), &file);
  }
  if (iree_status_is_ok(status)) status = ireert_add_params(s, scope, path, file);
  return ireert_done(status, err, errcap);
}

int32_t ireert_params_memory(ireert_session* s, const char* scope, const void* data, int64_t size,
                             char* err, int64_t errcap) {
  IREERT_REQUIRE(s && scope && data && size > 0, err, errcap);
  iree_io_file_handle_t* file = NULL;
  iree_status_t status = ireert_may_add_params(s);
  if (iree_status_is_ok(status)) {
    status = iree_io_file_handle_wrap_host_allocation(
        IREE_IO_FILE_ACCESS_READ, iree_make_byte_span((void*)data, (iree_host_size_t)size),
        iree_io_file_handle_release_callback_null(), iree_allocator_system(), &file);
  }
  if (iree_status_is_ok(status)) status = ireert_add_params(s, scope, "an archive in memory", file);
  return ireert_done(status, err, errcap);
}

iree_status_t ireert_register_params(ireert_session* s) {
  if (s->has_params_module) return iree_ok_status();
  iree_runtime_instance_t* instance = NULL;
  iree_vm_module_t* module = NULL;
  IREE_RETURN_IF_ERROR(ireert_instance(&instance));
  iree_status_t status = iree_io_parameters_module_create(
      iree_runtime_instance_vm_instance(instance), (iree_host_size_t)s->provider_count,
      s->providers, iree_allocator_system(), &module);
  if (iree_status_is_ok(status)) status = iree_runtime_session_append_module(s->session, module);
  iree_vm_module_release(module);
  if (iree_status_is_ok(status)) {
    s->has_params_module = 1;
    s->first_program = iree_vm_context_module_count(iree_runtime_session_context(s->session));
  }
  return status;
}

int32_t ireert_load_file(ireert_session* s, const char* path, char* err, int64_t errcap) {
  IREERT_REQUIRE(s && path, err, errcap);
  iree_io_file_handle_t* file = NULL;
  iree_status_t status = ireert_map_file(path, &file);
  if (iree_status_is_ok(status)) {
    iree_byte_span_t all = iree_io_file_handle_value(file).host_allocation;
    status = ireert_check_processor(iree_make_const_byte_span(all.data, all.data_length));
    iree_io_file_handle_release(file);
  }
  if (iree_status_is_ok(status)) status = ireert_register_params(s);
  if (iree_status_is_ok(status)) {
    status = iree_runtime_session_append_bytecode_module_from_file(s->session, path);
  }
  return ireert_done(status, err, errcap);
}

static iree_status_t ireert_free_aligned(void* self, iree_allocator_command_t command,
                                         const void* params, void** inout_ptr) {
  (void)self;
  (void)params;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) return iree_make_status(IREE_STATUS_UNIMPLEMENTED);
  iree_allocator_free_aligned(iree_allocator_system(), *inout_ptr);
  return iree_ok_status();
}

int32_t ireert_load_memory(ireert_session* s, const void* data, int64_t size, char* err,
                           int64_t errcap) {
  IREERT_REQUIRE(s && data && size > 0, err, errcap);
  void* copy = NULL;
  iree_status_t status =
      ireert_check_processor(iree_make_const_byte_span(data, (iree_host_size_t)size));
  if (iree_status_is_ok(status)) status = ireert_register_params(s);
  if (iree_status_is_ok(status)) {
    status = iree_allocator_malloc_aligned(iree_allocator_system(), (iree_host_size_t)size, 64, 0,
                                           &copy);
  }
  if (iree_status_is_ok(status)) {
    memcpy(copy, data, (size_t)size);
    // The copy is freed by the callee, also when it fails.
    iree_allocator_t deallocator = {NULL, ireert_free_aligned};
    status = iree_runtime_session_append_bytecode_module_from_memory(
        s->session, iree_make_const_byte_span(copy, (iree_host_size_t)size), deallocator);
  }
  return ireert_done(status, err, errcap);
}

int32_t ireert_func(ireert_session* s, const char* name, int32_t* out, char* err, int64_t errcap) {
  IREERT_REQUIRE(s && name && out, err, errcap);
  iree_status_t status = iree_ok_status();
  if (s->func_count == IREERT_MAX_FUNCS) {
    status = iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "at most %d functions of a session",
                              IREERT_MAX_FUNCS);
  } else {
    status = iree_runtime_session_lookup_function(s->session, iree_make_cstring_view(name),
                                                  &s->funcs[s->func_count]);
  }
  if (iree_status_is_ok(status)) *out = s->func_count++;
  return ireert_done(status, err, errcap);
}

int32_t ireert_arity(ireert_session* s, int32_t func, int32_t* nin, int32_t* nout, char* err,
                     int64_t errcap) {
  IREERT_REQUIRE(s && nin && nout && func >= 0 && func < s->func_count, err, errcap);
  iree_vm_function_signature_t signature = iree_vm_function_signature(&s->funcs[func]);
  iree_host_size_t arguments = 0, results = 0;
  iree_status_t status =
      iree_vm_function_call_count_arguments_and_results(&signature, &arguments, &results);
  *nin = (int32_t)arguments;
  *nout = (int32_t)results;
  return ireert_done(status, err, errcap);
}
