// A device for several threads: dispatches run in order on the thread that calls, and the
// workgroups of one that takes long enough are shared out to threads that wait for them.
//
// A worker looks for the next dispatch for a while before it sleeps, and a short dispatch
// stays where it is. Why it is not the driver local-task of the same name is in
// docs/modules/ROOT/pages/decisions.adoc, "Threads for programs on CPUs", with figures.
#include "internal.h"

#if IREE_HAVE_HAL_LOCAL_TASK_DRIVER_MODULE
#include "iree/base/internal/fpu_state.h"
#include "iree/base/threading/notification.h"
#include "iree/base/threading/processor.h"
#include "iree/base/threading/thread.h"
#include "iree/hal/local/executable_loader.h"
#include "iree/hal/local/local_executable.h"

// A dispatch that is expected to take less is not worth another thread.
#define IREERT_SHARE_NS 12000
// How long a worker looks for the next dispatch before it sleeps.
#define IREERT_SPIN_NS 150000
// Looks between two in which other threads get the processor.
#define IREERT_LOOKS 64
// Parts that a dispatch is taken in by a thread, on average, so that they end together.
#define IREERT_PARTS 8

typedef struct ireert_pool ireert_pool;

// A thread besides the calling one.
typedef struct ireert_worker {
  ireert_pool* pool;
  iree_thread_t* thread;
} ireert_worker;

// What is done: the workgroups of a dispatch.
typedef struct ireert_job {
  const iree_hal_local_executable_vtable_t* own;
  iree_hal_local_executable_t* executable;
  iree_host_size_t ordinal;
  const iree_hal_executable_dispatch_state_v0_t* state;
  uint32_t processor_id;
  uint32_t scratch;  // bytes
  uint32_t count, part;
} ireert_job;

struct ireert_pool {
  iree_atomic_ref_count_t refs;
  iree_notification_t wake;
  iree_atomic_int32_t busy;      // whether a dispatch has the workers
  iree_atomic_int32_t turn;      // odd while workgroups can be taken
  iree_atomic_int32_t inside;    // workers that may read the job
  iree_atomic_int32_t sleepers;
  iree_atomic_int32_t stop;
  iree_atomic_int32_t next;      // the first workgroup that no thread has taken
  iree_atomic_intptr_t failure;  // the first status that is not OK, or 0
  ireert_job job;
  int32_t worker_count;
  ireert_worker workers[];
};

// Runs the workgroups of a job that no other thread takes.
static void ireert_take(ireert_pool* pool, const ireert_job* job, void* scratch) {
  iree_hal_executable_workgroup_state_v0_t group = {
      .processor_id = job->processor_id,
      .local_memory = scratch,
      .local_memory_size = job->scratch,
  };
  const uint32_t width = job->state->workgroup_count_x, height = job->state->workgroup_count_y;
  for (;;) {
    const uint32_t first = (uint32_t)iree_atomic_fetch_add(&pool->next, (int32_t)job->part,
                                                           iree_memory_order_relaxed);
    if (first >= job->count) return;
    const uint32_t end = job->count - first < job->part ? job->count : first + job->part;
    for (uint32_t i = first; i < end; ++i) {
      group.workgroup_id_x = i % width;
      group.workgroup_id_y = i / width % height;
      group.workgroup_id_z = (uint16_t)(i / width / height);
      iree_status_t status =
          job->own->issue_call(job->executable, job->ordinal, job->state, &group, 0);
      if (iree_status_is_ok(status)) continue;
      intptr_t none = 0;
      if (!iree_atomic_compare_exchange_strong(&pool->failure, &none, (intptr_t)status,
                                               iree_memory_order_acq_rel,
                                               iree_memory_order_relaxed)) {
        iree_status_free(status);
      }
    }
  }
}

// Looks until there is a turn after the last one seen, then sleeps.
static int32_t ireert_await(ireert_pool* pool, int32_t seen) {
  const iree_time_t begin = iree_time_now();
  for (int32_t looks = 1;; ++looks) {
    const int32_t turn = iree_atomic_load(&pool->turn, iree_memory_order_acquire);
    if ((turn & 1) && turn != seen) return turn;
    if (iree_atomic_load(&pool->stop, iree_memory_order_relaxed)) return seen;
    iree_processor_yield();
    if (looks % IREERT_LOOKS) continue;
    if (iree_time_now() - begin < IREERT_SPIN_NS) {
      iree_thread_yield();
      continue;
    }
    iree_wait_token_t token = iree_notification_prepare_wait(&pool->wake);
    iree_atomic_fetch_add(&pool->sleepers, 1, iree_memory_order_seq_cst);
    const int32_t again = iree_atomic_load(&pool->turn, iree_memory_order_seq_cst);
    const int late = ((again & 1) && again != seen) ||
                     iree_atomic_load(&pool->stop, iree_memory_order_seq_cst);
    if (late) {
      iree_notification_cancel_wait(&pool->wake);
    } else {
      iree_notification_commit_wait(&pool->wake, token, IREE_DURATION_ZERO,
                                    IREE_TIME_INFINITE_FUTURE);
    }
    iree_atomic_fetch_sub(&pool->sleepers, 1, iree_memory_order_seq_cst);
  }
}

static int ireert_work(void* entry) {
  ireert_pool* pool = ((ireert_worker*)entry)->pool;
  iree_allocator_t allocator = iree_allocator_system();
  // As on the calling thread.
  iree_fpu_state_push(IREE_FPU_STATE_FLAG_FLUSH_DENORMALS_TO_ZERO);
  void* scratch = NULL;
  uint32_t room = 0;
  for (int32_t seen = 0;;) {
    const int32_t turn = ireert_await(pool, seen);
    if (turn == seen) break;
    // The caller waits until none is inside before it changes the job. One that comes in
    // later sees that the turn is over.
    iree_atomic_fetch_add(&pool->inside, 1, iree_memory_order_seq_cst);
    seen = iree_atomic_load(&pool->turn, iree_memory_order_seq_cst);
    if (seen & 1) {
      int ready = 1;
      if (pool->job.scratch > room) {
        iree_allocator_free(allocator, scratch);
        scratch = NULL;
        room = 0;
        iree_status_t status = iree_allocator_malloc(allocator, pool->job.scratch, &scratch);
        ready = iree_status_is_ok(status);
        if (ready) room = pool->job.scratch;
        iree_status_free(status);  // the other threads do without this one
      }
      if (ready) ireert_take(pool, &pool->job, scratch);
    }
    iree_atomic_fetch_sub(&pool->inside, 1, iree_memory_order_seq_cst);
  }
  iree_allocator_free(allocator, scratch);
  return 0;
}

static void ireert_pool_release(ireert_pool* pool) {
  if (!pool || iree_atomic_ref_count_dec(&pool->refs) != 1) return;
  iree_atomic_store(&pool->stop, 1, iree_memory_order_seq_cst);
  iree_notification_post(&pool->wake, IREE_ALL_WAITERS);
  for (int32_t i = 0; i < pool->worker_count; ++i) {
    iree_thread_release(pool->workers[i].thread);  // waits for its end
  }
  iree_notification_deinitialize(&pool->wake);
  iree_allocator_free(iree_allocator_system(), pool);
}

static iree_status_t ireert_pool_create(int32_t threads, ireert_pool** out) {
  iree_allocator_t allocator = iree_allocator_system();
  const int32_t count = threads - 1;
  ireert_pool* pool = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(
      allocator, sizeof(*pool) + sizeof(pool->workers[0]) * (iree_host_size_t)count, (void**)&pool));
  iree_atomic_ref_count_init(&pool->refs);
  iree_notification_initialize(&pool->wake);
  iree_status_t status = iree_ok_status();
  for (int32_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    // Programs may use 256 KiB of stack (toolchains/iree/targets.bzl), more than
    // the default stack of a thread holds; one that overflows is a SIGSEGV.
    iree_thread_create_params_t params = {
        .name = IREE_SV("ireert"),
        .stack_size = IREERT_WORKER_STACK,
    };
    pool->workers[i].pool = pool;
    status = iree_thread_create(ireert_work, &pool->workers[i], params, allocator,
                                &pool->workers[i].thread);
    if (iree_status_is_ok(status)) pool->worker_count = i + 1;
  }
  if (iree_status_is_ok(status)) {
    *out = pool;
  } else {
    ireert_pool_release(pool);
  }
  return status;
}

// Runs all workgroups of a job on this thread and the workers.
static iree_status_t ireert_pool_run(ireert_pool* pool, const ireert_job* job, void* scratch) {
  pool->job = *job;
  iree_atomic_store(&pool->next, 0, iree_memory_order_relaxed);
  iree_atomic_fetch_add(&pool->turn, 1, iree_memory_order_seq_cst);
  if (iree_atomic_load(&pool->sleepers, iree_memory_order_seq_cst)) {
    iree_notification_post(&pool->wake, IREE_ALL_WAITERS);
  }
  ireert_take(pool, job, scratch);
  iree_atomic_fetch_add(&pool->turn, 1, iree_memory_order_seq_cst);
  for (int32_t looks = 1; iree_atomic_load(&pool->inside, iree_memory_order_seq_cst); ++looks) {
    iree_processor_yield();
    if (looks % IREERT_LOOKS == 0) iree_thread_yield();
  }
  return (iree_status_t)iree_atomic_exchange(&pool->failure, 0, iree_memory_order_acq_rel);
}

// The functions of an executable that shares its dispatches out, in place of its own.
typedef struct ireert_shared_vtable {
  iree_hal_local_executable_vtable_t vtable;  // the first, as executables point to it
  const iree_hal_local_executable_vtable_t* own;
  ireert_pool* pool;
  iree_atomic_int64_t* cost;  // picoseconds of a workgroup of each function, 0 before the first
} ireert_shared_vtable;

static void ireert_shared_destroy(iree_hal_executable_t* base) {
  iree_hal_local_executable_t* executable = (iree_hal_local_executable_t*)base;
  ireert_shared_vtable* shared = (ireert_shared_vtable*)executable->resource.vtable;
  executable->resource.vtable = shared->own;
  ireert_pool_release(shared->pool);
  shared->own->base.destroy(base);
  iree_allocator_free(iree_allocator_system(), shared);
}

// How a dispatch went whose first workgroup this thread was asked for: IREE asks for one
// after the other.
static _Thread_local struct {
  int done;  // whether all workgroups were run
  iree_status_code_t code;
} g_dispatch;

// The first workgroup of a dispatch runs all of them where that is faster.
static iree_status_t ireert_shared_issue_call(
    iree_hal_local_executable_t* executable, iree_host_size_t ordinal,
    const iree_hal_executable_dispatch_state_v0_t* state,
    const iree_hal_executable_workgroup_state_v0_t* group, uint32_t worker_id) {
  ireert_shared_vtable* shared = (ireert_shared_vtable*)executable->resource.vtable;
  if (group->workgroup_id_x || group->workgroup_id_y || group->workgroup_id_z) {
    if (!g_dispatch.done) {
      return shared->own->issue_call(executable, ordinal, state, group, worker_id);
    }
    if (g_dispatch.code == IREE_STATUS_OK) return iree_ok_status();
    return iree_make_status(g_dispatch.code, "another workgroup failed");
  }
  g_dispatch.done = 0;
  g_dispatch.code = IREE_STATUS_OK;
  const uint64_t count = (uint64_t)state->workgroup_count_x * state->workgroup_count_y *
                         state->workgroup_count_z;
  ireert_pool* pool = shared->pool;
  if (count < 2 || count > INT32_MAX / 2) {
    return shared->own->issue_call(executable, ordinal, state, group, worker_id);
  }
  iree_atomic_int64_t* cost = &shared->cost[ordinal];
  const int64_t expected = iree_atomic_load(cost, iree_memory_order_relaxed);
  int32_t idle = 0;
  const int alone = expected == 0 || expected * (int64_t)count < IREERT_SHARE_NS * 1000ll ||
                    !iree_atomic_compare_exchange_strong(&pool->busy, &idle, 1,
                                                         iree_memory_order_acquire,
                                                         iree_memory_order_relaxed);
  ireert_job job = {
      .own = shared->own,
      .executable = executable,
      .ordinal = ordinal,
      .state = state,
      .processor_id = group->processor_id,
      .scratch = group->local_memory_size,
      .count = (uint32_t)count,
  };
  const iree_time_t begin = iree_time_now();
  iree_status_t status = iree_ok_status();
  if (alone) {
    // One workgroup tells as much as all: the rest is asked for.
    status = shared->own->issue_call(executable, ordinal, state, group, worker_id);
    const int64_t took = 1000 * (iree_time_now() - begin);
    const int64_t now = expected ? (3 * expected + took) / 4 : took;
    iree_atomic_store(cost, now + 1, iree_memory_order_relaxed);
    return status;
  }
  const uint32_t threads = (uint32_t)pool->worker_count + 1;
  job.part = job.count / (threads * IREERT_PARTS);
  if (!job.part) job.part = 1;
  status = ireert_pool_run(pool, &job, group->local_memory);
  iree_atomic_store(&pool->busy, 0, iree_memory_order_release);
  const int64_t took = 1000 * (iree_time_now() - begin) * threads / (int64_t)count;
  iree_atomic_store(cost, (3 * expected + took) / 4 + 1, iree_memory_order_relaxed);
  g_dispatch.done = 1;
  g_dispatch.code = iree_status_code(status);
  return status;
}

// A loader whose executables share their dispatches out.
typedef struct ireert_loader {
  iree_hal_executable_loader_t base;
  iree_hal_executable_loader_t* own;
  ireert_pool* pool;
} ireert_loader;

static void ireert_loader_destroy(iree_hal_executable_loader_t* base) {
  ireert_loader* loader = (ireert_loader*)base;
  iree_hal_executable_loader_release(loader->own);
  ireert_pool_release(loader->pool);
  iree_allocator_free(iree_allocator_system(), loader);
}

static iree_status_t ireert_loader_infer_format(iree_hal_executable_loader_t* base,
                                                iree_hal_executable_caching_mode_t caching_mode,
                                                iree_const_byte_span_t data,
                                                iree_host_size_t capacity, char* format,
                                                iree_host_size_t* out_size) {
  return iree_hal_executable_loader_infer_format(((ireert_loader*)base)->own, caching_mode, data,
                                                 capacity, format, out_size);
}

static bool ireert_loader_query_support(iree_hal_executable_loader_t* base,
                                        iree_hal_executable_caching_mode_t caching_mode,
                                        iree_string_view_t format) {
  return iree_hal_executable_loader_query_support(((ireert_loader*)base)->own, caching_mode,
                                                  format);
}

static iree_status_t ireert_loader_try_load(iree_hal_executable_loader_t* base,
                                            const iree_hal_executable_params_t* params,
                                            iree_host_size_t worker_capacity,
                                            iree_hal_executable_t** out) {
  ireert_loader* loader = (ireert_loader*)base;
  IREE_RETURN_IF_ERROR(
      iree_hal_executable_loader_try_load(loader->own, params, worker_capacity, out));
  iree_hal_local_executable_t* executable = iree_hal_local_executable_cast(*out);
  // Bytecode has a state for each worker, of which there is one.
  if (!executable->dispatch_ptrs || !executable->export_count) return iree_ok_status();
  ireert_shared_vtable* shared = NULL;
  iree_status_t status = iree_allocator_malloc(
      iree_allocator_system(),
      sizeof(*shared) + sizeof(*shared->cost) * executable->export_count, (void**)&shared);
  if (!iree_status_is_ok(status)) {
    iree_hal_executable_release(*out);
    *out = NULL;
    return status;
  }
  shared->own = (const iree_hal_local_executable_vtable_t*)executable->resource.vtable;
  shared->vtable = *shared->own;
  shared->vtable.base.destroy = ireert_shared_destroy;
  shared->vtable.issue_call = ireert_shared_issue_call;
  shared->pool = loader->pool;
  shared->cost = (iree_atomic_int64_t*)(shared + 1);
  iree_atomic_ref_count_inc(&shared->pool->refs);
  executable->resource.vtable = &shared->vtable;
  return iree_ok_status();
}

static const iree_hal_executable_loader_vtable_t ireert_loader_vtable = {
    .destroy = ireert_loader_destroy,
    .infer_format = ireert_loader_infer_format,
    .query_support = ireert_loader_query_support,
    .try_load = ireert_loader_try_load,
};

iree_status_t ireert_share_out(int32_t threads, iree_host_size_t loader_count,
                               iree_hal_executable_loader_t** loaders) {
  if (threads < 2) return iree_ok_status();
  iree_allocator_t allocator = iree_allocator_system();
  ireert_pool* pool = NULL;
  IREE_RETURN_IF_ERROR(ireert_pool_create(threads, &pool));
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < loader_count && iree_status_is_ok(status); ++i) {
    ireert_loader* loader = NULL;
    status = iree_allocator_malloc(allocator, sizeof(*loader), (void**)&loader);
    if (!iree_status_is_ok(status)) break;
    iree_hal_executable_loader_initialize(&ireert_loader_vtable, loaders[i]->import_provider,
                                          &loader->base);
    loader->own = loaders[i];
    loader->pool = pool;
    iree_atomic_ref_count_inc(&pool->refs);
    loaders[i] = &loader->base;
  }
  ireert_pool_release(pool);
  return status;
}

#else
// A runtime for one thread, as in the static runner.
iree_status_t ireert_share_out(int32_t threads, iree_host_size_t loader_count,
                               iree_hal_executable_loader_t** loaders) {
  return iree_make_status(IREE_STATUS_UNAVAILABLE, "local-task is not compiled in");
}
#endif  // IREE_HAVE_HAL_LOCAL_TASK_DRIVER_MODULE
