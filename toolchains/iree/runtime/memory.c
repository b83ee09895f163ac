// The memory of buffers on CPUs: large blocks are kept when they are freed, for the next call.
//
// A program allocates what its dispatches hand to each other in each call, and frees it. The
// system gives such blocks page by page, and takes them back: for Piper, 85 MB in a call, that
// was a third of the time. Beyond their first page, in which a buffer's description may be,
// they are not cleared: a program writes what it reads.
//
// Blocks that are kept and those in use are together at most an eighth more than were in use at
// once, so that the peak of a process is little higher than without this.
#include <string.h>

#include "internal.h"
#include "iree/base/threading/call_once.h"
#include "iree/base/threading/mutex.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

// Smaller blocks are the system's.
#define IREERT_LARGE ((iree_host_size_t)64 << 10)
// Large blocks at most; the system's are those beyond.
#define IREERT_BLOCKS 256
// Large blocks begin at multiples of this, as few others do, and are known by it.
#define IREERT_PAGE ((uintptr_t)4096)
// Pages that a block of twice their size and more is asked to have.
#define IREERT_HUGE_PAGE ((uintptr_t)2 << 20)

typedef struct ireert_block {
  char* data;
  void* base;  // what the system gave
  iree_host_size_t size;
  uint64_t freed;  // the turn in which it was freed, or 0
} ireert_block;

static struct {
  iree_once_flag once;
  iree_slim_mutex_t mutex;
  iree_host_size_t used, peak, kept;  // bytes; the peak is that of used
  uint64_t turn;
  int32_t count;
  ireert_block blocks[IREERT_BLOCKS];
} g_memory = {.once = IREE_ONCE_FLAG_INIT};

static void ireert_memory_init(void) { iree_slim_mutex_initialize(&g_memory.mutex); }

static void ireert_memory_lock(void) {
  iree_call_once(&g_memory.once, ireert_memory_init);
  iree_slim_mutex_lock(&g_memory.mutex);
}

static void ireert_memory_unlock(void) { iree_slim_mutex_unlock(&g_memory.mutex); }

// Frees the blocks that were freed first, until so many bytes of those that are kept are left.
static void ireert_evict(iree_host_size_t left) {
  while (g_memory.kept > left) {
    ireert_block* first = NULL;
    for (int32_t i = 0; i < g_memory.count; ++i) {
      ireert_block* b = &g_memory.blocks[i];
      if (b->freed && (!first || b->freed < first->freed)) first = b;
    }
    g_memory.kept -= first->size;
    iree_allocator_free(iree_allocator_system(), first->base);
    *first = g_memory.blocks[--g_memory.count];
  }
}

// Frees what is kept beyond the limit, with so many bytes in use.
static void ireert_limit(iree_host_size_t used) {
  const iree_host_size_t most = g_memory.peak + g_memory.peak / 8;
  ireert_evict(most > used ? most - used : 0);
}

// Gives the smallest block that is kept and holds so many bytes without much waste, or NULL.
static ireert_block* ireert_fitting(iree_host_size_t size) {
  ireert_block* best = NULL;
  for (int32_t i = 0; i < g_memory.count; ++i) {
    ireert_block* b = &g_memory.blocks[i];
    if (!b->freed || b->size < size || b->size - size > size / 8) continue;
    if (!best || b->size < best->size) best = b;
  }
  return best;
}

// Gets a block from the system.
static iree_status_t ireert_new_block(iree_host_size_t size, ireert_block* out) {
  iree_host_size_t whole = 0;
  if (!iree_host_size_checked_add(size, IREERT_PAGE - 1, &whole)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "a block of %" PRIhsz " bytes", size);
  }
  void* base = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(iree_allocator_system(), whole, &base));
  const uintptr_t first = ((uintptr_t)base + IREERT_PAGE - 1) & ~(IREERT_PAGE - 1);
  *out = (ireert_block){.data = (char*)first, .base = base, .size = size};
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const uintptr_t begin = (first + IREERT_HUGE_PAGE - 1) & ~(IREERT_HUGE_PAGE - 1);
  const uintptr_t end = (first + size) & ~(IREERT_HUGE_PAGE - 1);
  if (size >= 2 * IREERT_HUGE_PAGE && begin < end) {
    madvise((void*)begin, end - begin, MADV_HUGEPAGE);  // a hint, which may be refused
  }
#endif
  return iree_ok_status();
}

// Gives a large block, or NULL if there are too many.
static iree_status_t ireert_take_block(iree_host_size_t size, void** out) {
  iree_status_t status = iree_ok_status();
  *out = NULL;
  ireert_memory_lock();
  ireert_block* block = ireert_fitting(size);
  if (block) {
    g_memory.kept -= block->size;
  } else {
    ireert_limit(g_memory.used + size);  // room for it
    if (g_memory.count < IREERT_BLOCKS) {
      block = &g_memory.blocks[g_memory.count];
      status = ireert_new_block(size, block);
      if (iree_status_is_ok(status)) ++g_memory.count;
    }
  }
  if (block && iree_status_is_ok(status)) {
    block->freed = 0;
    g_memory.used += block->size;
    if (g_memory.used > g_memory.peak) g_memory.peak = g_memory.used;
    ireert_limit(g_memory.used);
    *out = block->data;
    memset(block->data, 0, IREERT_PAGE);
  }
  ireert_memory_unlock();
  return status;
}

// Keeps a large block, and reports whether it is one.
static int ireert_keep_block(void* data) {
  if ((uintptr_t)data % IREERT_PAGE) return 0;
  int found = 0;
  ireert_memory_lock();
  for (int32_t i = 0; i < g_memory.count && !found; ++i) {
    ireert_block* b = &g_memory.blocks[i];
    if (b->data != data || b->freed) continue;
    found = 1;
    b->freed = ++g_memory.turn;
    g_memory.used -= b->size;
    g_memory.kept += b->size;
  }
  if (found) ireert_limit(g_memory.used);
  ireert_memory_unlock();
  return found;
}

// Buffers are asked for as cleared blocks. Blocks that grow are never asked for so.
static iree_status_t ireert_memory_ctl(void* self, iree_allocator_command_t command,
                                       const void* params, void** inout_ptr) {
  (void)self;
  if (command == IREE_ALLOCATOR_COMMAND_CALLOC) {
    const iree_host_size_t size = ((const iree_allocator_alloc_params_t*)params)->byte_length;
    if (size >= IREERT_LARGE) {
      iree_status_t status = ireert_take_block(size, inout_ptr);
      if (*inout_ptr || !iree_status_is_ok(status)) return status;
    }
  }
  if (command == IREE_ALLOCATOR_COMMAND_FREE && ireert_keep_block(*inout_ptr)) {
    *inout_ptr = NULL;
    return iree_ok_status();
  }
  iree_allocator_t system = iree_allocator_system();
  return system.ctl(system.self, command, params, inout_ptr);
}

iree_allocator_t ireert_buffers(void) { return (iree_allocator_t){NULL, ireert_memory_ctl}; }

void ireert_memory_trim(void) {
  ireert_memory_lock();
  ireert_evict(0);
  g_memory.peak = g_memory.used;
  ireert_memory_unlock();
}
