// The process-wide instance, devices, and the text of errors.
#include <string.h>

#include "internal.h"
#include "iree/base/threading/call_once.h"
#include "iree/base/threading/numa.h"
#include "iree/hal/drivers/init.h"
#include "iree/hal/drivers/local_sync/sync_device.h"
#include "iree/hal/local/loaders/registration/init.h"
#include "iree/task/executor.h"
#include "iree/task/topology.h"

int32_t ireert_abi(void) { return IREERT_ABI; }

int32_t ireert_done(iree_status_t status, char* err, int64_t errcap) {
  const int has_room = err && errcap > 0;
  if (has_room) err[0] = 0;
  if (iree_status_is_ok(status)) return 0;
  int32_t code = (int32_t)iree_status_code(status);
  iree_allocator_t allocator = iree_allocator_system();
  char* text = NULL;
  iree_host_size_t length = 0;
  if (has_room && iree_status_to_string(status, &allocator, &text, &length)) {
    const iree_host_size_t room = (iree_host_size_t)errcap - 1;
    const int cut = length > room;
    if (cut) length = room;
    memcpy(err, text, length);
    err[length] = 0;
    if (cut && length >= 3) memcpy(err + length - 3, "...", 3);
    iree_allocator_free(allocator, text);
  }
  iree_status_free(status);
  return code;
}

static iree_once_flag g_once = IREE_ONCE_FLAG_INIT;
static iree_runtime_instance_t* g_instance = NULL;
static iree_async_proactor_pool_t* g_proactors = NULL;
static iree_status_t g_status;

static void ireert_init_once(void) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_runtime_instance_options_t options;
  iree_runtime_instance_options_initialize(&options);
  iree_runtime_instance_options_use_all_available_drivers(&options);
  g_status = iree_runtime_instance_create(&options, allocator, &g_instance);
  if (iree_status_is_ok(g_status)) {
    g_status = iree_async_proactor_pool_create(iree_numa_node_count(), NULL,
                                               iree_async_proactor_pool_options_default(),
                                               allocator, &g_proactors);
  }
}

iree_status_t ireert_instance(iree_runtime_instance_t** out) {
  iree_call_once(&g_once, ireert_init_once);
  *out = g_instance;
  return iree_status_is_ok(g_status) ? iree_ok_status() : iree_status_clone(g_status);
}

iree_async_proactor_pool_t* ireert_proactors(void) { return g_proactors; }

int32_t ireert_drivers(char* out, int64_t cap, char* err, int64_t errcap) {
  IREERT_REQUIRE(out && cap > 0, err, errcap);
  out[0] = 0;
  iree_allocator_t allocator = iree_allocator_system();
  iree_runtime_instance_t* instance = NULL;
  iree_host_size_t count = 0;
  iree_hal_driver_info_t* infos = NULL;
  iree_status_t status = ireert_instance(&instance);
  if (iree_status_is_ok(status)) {
    status = iree_hal_driver_registry_enumerate(iree_runtime_instance_driver_registry(instance),
                                                allocator, &count, &infos);
  }
  int64_t used = 0;
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    iree_string_view_t name = infos[i].driver_name;
    if ((int64_t)name.size > cap - used - 2) {
      out[0] = 0;
      status = iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "%d bytes do not hold the names",
                                (int)cap);
      break;
    }
    if (used) out[used++] = ',';
    memcpy(out + used, name.data, name.size);
    used += (int64_t)name.size;
    out[used] = 0;
  }
  iree_allocator_free(allocator, infos);
  return ireert_done(status, err, errcap);
}

#if IREE_HAVE_HAL_LOCAL_TASK_DRIVER_MODULE
// Gives how many threads a device for several has by default.
static iree_status_t ireert_cores(int32_t* out) {
  iree_task_topology_t topology;
  IREE_RETURN_IF_ERROR(iree_task_topology_initialize_from_physical_cores(
      IREE_TASK_TOPOLOGY_NODE_ID_ANY, IREE_TASK_TOPOLOGY_PERFORMANCE_LEVEL_ANY,
      IREE_TASK_TOPOLOGY_DISTRIBUTION_COMPACT, IREE_TASK_EXECUTOR_MAX_WORKER_COUNT, &topology));
  *out = (int32_t)iree_task_topology_group_count(&topology);
  iree_task_topology_deinitialize(&topology);
  return iree_ok_status();
}
#else
// A runtime for one thread, as in the static runner.
static iree_status_t ireert_cores(int32_t* out) {
  return iree_make_status(IREE_STATUS_UNAVAILABLE, "local-task is not compiled in");
}
#endif  // IREE_HAVE_HAL_LOCAL_TASK_DRIVER_MODULE

static iree_status_t ireert_create_local(const char* driver, int32_t workers,
                                         const iree_hal_device_create_params_t* create_params,
                                         iree_hal_device_t** out) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_hal_executable_loader_t* loaders[8] = {NULL};
  iree_host_size_t loader_count = 0;
  iree_hal_allocator_t* heap = NULL;
  iree_status_t status = iree_hal_create_all_available_executable_loaders(
      NULL, IREE_ARRAYSIZE(loaders), &loader_count, loaders, allocator);
  if (iree_status_is_ok(status)) {
    status = iree_hal_allocator_create_heap(IREE_SV("local"), ireert_buffers(), ireert_buffers(),
                                            &heap);
  }
  if (iree_status_is_ok(status) && strcmp(driver, "local-sync") != 0) {
    if (workers == 0) status = ireert_cores(&workers);
    if (iree_status_is_ok(status)) status = ireert_share_out(workers, loader_count, loaders);
  }
  if (iree_status_is_ok(status)) {
    iree_hal_sync_device_params_t params;
    iree_hal_sync_device_params_initialize(&params);
    status = iree_hal_sync_device_create(iree_make_cstring_view(driver), &params, create_params,
                                         loader_count, loaders, heap, ireert_buffers(),
                                         out);
  }
  for (iree_host_size_t i = 0; i < loader_count; ++i) {
    iree_hal_executable_loader_release(loaders[i]);
  }
  iree_hal_allocator_release(heap);
  return status;
}

iree_status_t ireert_create_device(const char* driver_name, const char* path, int32_t workers,
                                   iree_hal_device_t** out) {
  iree_runtime_instance_t* instance = NULL;
  IREE_RETURN_IF_ERROR(ireert_instance(&instance));
  if (workers < 0 || workers > (int32_t)IREE_TASK_EXECUTOR_MAX_WORKER_COUNT) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%d workers; want 0 to %d", workers,
                            (int)IREE_TASK_EXECUTOR_MAX_WORKER_COUNT);
  }
  iree_hal_device_create_params_t create_params = iree_hal_device_create_params_default();
  create_params.proactor_pool = g_proactors;
  if (!strcmp(driver_name, "local-sync") || !strcmp(driver_name, "local-task")) {
    return ireert_create_local(driver_name, workers, &create_params, out);
  }
  iree_allocator_t allocator = iree_allocator_system();
  iree_hal_driver_t* driver = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_driver_registry_try_create(iree_runtime_instance_driver_registry(instance),
                                          iree_make_cstring_view(driver_name), allocator, &driver));
  iree_status_t status;
  if (path && path[0]) {
    status = iree_hal_driver_create_device_by_path(driver, iree_make_cstring_view(driver_name),
                                                   iree_make_cstring_view(path), 0, NULL,
                                                   &create_params, allocator, out);
  } else {
    status = iree_hal_driver_create_default_device(driver, &create_params, allocator, out);
  }
  iree_hal_driver_release(driver);
  return status;
}
