// Sessions that have a device, archives and programs in common.
#include <string.h>

#include "internal.h"

int32_t ireert_share(ireert_session* of, ireert_session** out, char* err, int64_t errcap) {
  IREERT_REQUIRE(of && out, err, errcap);
  *out = NULL;
  return ireert_done(ireert_open_on(of->device, out), err, errcap);
}

// Gives the number of a scope that a session has, or -1.
static int32_t ireert_scope_named(const ireert_session* s, iree_string_view_t scope) {
  for (int32_t i = 0; i < s->provider_count; ++i) {
    if (iree_io_parameter_provider_query_support(s->providers[i], scope)) return i;
  }
  return -1;
}

// Notes the archives of scope from of, which is scope at here.
static iree_status_t ireert_note_shared(ireert_session* s, int32_t at, const ireert_session* of,
                                        int32_t from) {
  for (int32_t i = 0; i < of->archive_count; ++i) {
    const ireert_archive* a = &of->archives[i];
    if (a->scope != from) continue;
    ireert_archive note = {.scope = at, .first = a->first, .size = a->size, .shared = 1};
    IREE_RETURN_IF_ERROR(ireert_note_archive(s, note, a->name));
  }
  return iree_ok_status();
}

int32_t ireert_params_shared(ireert_session* s, ireert_session* of, const char* scope, char* err,
                             int64_t errcap) {
  IREERT_REQUIRE(s && of && s != of && scope, err, errcap);
  iree_string_view_t name = iree_make_cstring_view(scope);
  const int32_t from = ireert_scope_named(of, name);
  const int32_t at = s->provider_count;
  iree_status_t status = ireert_may_add_params(s);
  if (iree_status_is_ok(status) && from < 0) {
    status = iree_make_status(IREE_STATUS_NOT_FOUND, "the other session has no scope %s", scope);
  } else if (iree_status_is_ok(status) && ireert_scope_named(s, name) >= 0) {
    status = iree_make_status(IREE_STATUS_ALREADY_EXISTS, "the scope %s has archives", scope);
  } else if (iree_status_is_ok(status) && at == IREERT_MAX_SCOPES) {
    status = iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "at most %d scopes of a session",
                              IREERT_MAX_SCOPES);
  }
  if (iree_status_is_ok(status)) status = ireert_note_shared(s, at, of, from);
  if (iree_status_is_ok(status)) {
    s->providers[at] = of->providers[from];
    s->indexes[at] = of->indexes[from];
    s->shared[at] = 1;
    iree_io_parameter_provider_retain(s->providers[at]);
    iree_io_parameter_index_retain(s->indexes[at]);
    ++s->provider_count;
  }
  return ireert_done(status, err, errcap);
}

int32_t ireert_load_shared(ireert_session* s, ireert_session* of, char* err, int64_t errcap) {
  IREERT_REQUIRE(s && of && s != of, err, errcap);
  iree_vm_context_t* programs = iree_runtime_session_context(of->session);
  iree_status_t status = ireert_register_params(s);
  if (iree_status_is_ok(status) && !of->has_params_module) {
    status = iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "the other session has no program");
  }
  // Behind those of the runtime and the one that serves parameters.
  for (iree_host_size_t i = of->first_program;
       iree_status_is_ok(status) && i < iree_vm_context_module_count(programs); ++i) {
    status = iree_runtime_session_append_module(s->session, iree_vm_context_module_at(programs, i));
  }
  return ireert_done(status, err, errcap);
}

int32_t ireert_memory(ireert_session* s, int64_t* own, int64_t* shared, int64_t* device, char* err,
                      int64_t errcap) {
  IREERT_REQUIRE(s && own && shared && device, err, errcap);
  *own = *shared = 0;
  for (int32_t i = 0; i < s->archive_count; ++i) {
    *(s->archives[i].shared ? shared : own) += s->archives[i].size;
  }
  iree_hal_allocator_statistics_t statistics;
  iree_hal_allocator_query_statistics(s->allocator, &statistics);
  *device = (int64_t)(statistics.host_bytes_allocated - statistics.host_bytes_freed +
                      statistics.device_bytes_allocated - statistics.device_bytes_freed);
  return ireert_done(iree_ok_status(), err, errcap);
}
