// Checks archives before IREE's parser follows them: its range checks wrap, so that a
// damaged file would end the process or keep it busy for ever. The codes, limits and
// messages are those of the Go package io/irpa, which documents the layout.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
  HEADER_SIZE = 88,
  ENTRY_COMMON = 60,
  ENTRY_ALIGN = 16,
  MAX_ENTRIES = 1 << 16,
  MAX_NAME = 1 << 10,
  MAX_ALIGNMENT = 1 << 20,
  MAX_PATTERN = 16,
};

enum { TYPE_SKIP, TYPE_SPLAT, TYPE_DATA, TYPE_EXTERNAL, TYPES };

// Of an entry, by its type.
static const uint64_t kSizes[TYPES] = {ENTRY_COMMON, 85, 76, 92};

// ireert.h says that a message has the code and the byte like this.
#define FAULT(code, at, format, ...)                                             \
  iree_make_status(IREE_STATUS_DATA_LOSS, code ": byte %" PRIu64 ": " format, \
                   (uint64_t)(at)__VA_OPT__(, ) __VA_ARGS__)

static uint64_t number(const uint8_t* p, int32_t bytes) {
  uint64_t n = 0;
  for (int32_t i = bytes - 1; i >= 0; --i) n = n << 8 | p[i];
  return n;
}

static uint64_t u64(iree_const_byte_span_t file, uint64_t at) { return number(file.data + at, 8); }

// Checks the offset and the length that lie at byte `at` against the room that they are
// in. cut: the room is the file, which may have been cut short.
static iree_status_t check_range(iree_const_byte_span_t file, uint64_t at, uint64_t room, int cut,
                                 const char* what) {
  const uint64_t offset = u64(file, at), length = u64(file, at + 8);
  if (offset > INT64_MAX || length > INT64_MAX || offset + length > INT64_MAX) {
    return FAULT("IRPA_BAD_RANGE", at, "%s has offset %" PRIu64 " and length %" PRIu64
                 ", which wrap", what, offset, length);
  }
  if (offset + length <= room) return iree_ok_status();
  return cut ? FAULT("IRPA_TRUNCATED", at, "%s ends at %" PRIu64 ", only %" PRIu64
                     " bytes are there", what, offset + length, room)
             : FAULT("IRPA_BAD_RANGE", at, "%s ends at %" PRIu64 ", only %" PRIu64
                     " bytes are there", what, offset + length, room);
}

static iree_status_t check_header(iree_const_byte_span_t file) {
  if (file.data_length < 4 || memcmp(file.data, "IRPA", 4)) {
    return FAULT("IRPA_BAD_MAGIC", 0, "the file does not begin with IRPA");
  }
  if (file.data_length < HEADER_SIZE) {
    return FAULT("IRPA_TRUNCATED", file.data_length, "the header takes %d bytes, the file has %d",
                 HEADER_SIZE, (int)file.data_length);
  }
  if (number(file.data + 4, 4)) {
    return FAULT("IRPA_BAD_VERSION", 4, "version %d.%d, version 0.0 is supported",
                 (int)number(file.data + 4, 2), (int)number(file.data + 6, 2));
  }
  if (u64(file, 8) != HEADER_SIZE) {
    return FAULT("IRPA_BAD_HEADER", 8, "a header of %" PRIu64 " bytes, version 0.0 has %d",
                 u64(file, 8), HEADER_SIZE);
  }
  if (u64(file, 16)) {
    return FAULT("IRPA_LINKED", 16, "a second archive is linked at byte %" PRIu64, u64(file, 16));
  }
  if (u64(file, 24)) {
    return FAULT("IRPA_BAD_FLAGS", 24, "flags %#" PRIx64 ", none are known", u64(file, 24));
  }
  static const char* const segments[] = {"the entry table", "the metadata segment",
                                         "the storage segment"};
  for (uint64_t i = 0; i < 3; ++i) {
    IREE_RETURN_IF_ERROR(check_range(file, 40 + 16 * i, file.data_length, 1, segments[i]));
    const uint64_t begin = u64(file, 40 + 16 * i), length = u64(file, 48 + 16 * i);
    int overlaps = length && begin < HEADER_SIZE;
    for (uint64_t k = 0; k < i && length; ++k) {
      const uint64_t other = u64(file, 40 + 16 * k), room = u64(file, 48 + 16 * k);
      overlaps |= room && begin < other + room && other < begin + length;
    }
    if (overlaps) {
      return FAULT("IRPA_OVERLAP", 40 + 16 * i, "%s overlaps the header or another segment",
                   segments[i]);
    }
  }
  if (u64(file, 40) % ENTRY_ALIGN) {
    return FAULT("IRPA_BAD_ALIGNMENT", 40, "the entry table starts at byte %" PRIu64
                 ", not a multiple of %d", u64(file, 40), ENTRY_ALIGN);
  }
  if (u64(file, 32) > MAX_ENTRIES) {
    return FAULT("IRPA_LIMIT", 32, "%" PRIu64 " entries, the limit is %d", u64(file, 32),
                 MAX_ENTRIES);
  }
  return iree_ok_status();
}

// Checks the name or path whose range lies at byte `at`.
static iree_status_t check_text(iree_const_byte_span_t file, uint64_t at, const char* what,
                                iree_string_view_t* out) {
  IREE_RETURN_IF_ERROR(check_range(file, at, u64(file, 64), 0, what));
  const uint64_t length = u64(file, at + 8);
  const char* text = (const char*)file.data + u64(file, 56) + u64(file, at);
  if (length > MAX_NAME) {
    return FAULT("IRPA_LIMIT", at, "%s has %" PRIu64 " bytes, the limit is %d", what, length,
                 MAX_NAME);
  }
  if (!length || memchr(text, 0, (size_t)length)) {
    return FAULT("IRPA_BAD_NAME", at, "%s is empty or has a NUL inside", what);
  }
  *out = iree_make_string_view(text, (iree_host_size_t)length);
  return iree_ok_status();
}

// Checks what an entry of each type has behind the common fields.
static iree_status_t check_body(iree_const_byte_span_t file, uint64_t entry, uint32_t type) {
  const uint64_t at = entry + ENTRY_COMMON, alignment = u64(file, entry + 52);
  if (alignment > MAX_ALIGNMENT || (alignment & (alignment - 1))) {
    return FAULT("IRPA_BAD_ALIGNMENT", entry + 52, "an alignment of %" PRIu64
                 ", want a power of two up to %d", alignment, MAX_ALIGNMENT);
  }
  if (type == TYPE_DATA) {
    IREE_RETURN_IF_ERROR(check_range(file, at, u64(file, 80), 0, "the datum"));
    const uint64_t place = u64(file, 72) + u64(file, at);
    if (alignment && place % alignment) {
      return FAULT("IRPA_BAD_ALIGNMENT", at, "the datum lies at byte %" PRIu64
                   ", not a multiple of its alignment %" PRIu64, place, alignment);
    }
  } else if (type == TYPE_SPLAT) {
    const uint64_t length = u64(file, at);
    const uint32_t pattern = file.data[at + 8 + MAX_PATTERN];
    if (length > INT64_MAX) {
      return FAULT("IRPA_BAD_RANGE", at, "a splat of %" PRIu64 " bytes", length);
    }
    if (!pattern || pattern > MAX_PATTERN || (pattern & (pattern - 1)) || length % pattern) {
      return FAULT("IRPA_BAD_SPLAT", at, "a pattern of %u bytes does not fill %" PRIu64 " bytes",
                   pattern, length);
    }
  } else {
    iree_string_view_t path;
    IREE_RETURN_IF_ERROR(check_text(file, at, "the path", &path));
    IREE_RETURN_IF_ERROR(check_range(file, at + 16, INT64_MAX, 0, "the external range"));
  }
  return iree_ok_status();
}

iree_status_t ireert_check_archive(iree_const_byte_span_t file, ireert_key* keys,
                                   iree_host_size_t* count) {
  *count = 0;
  IREE_RETURN_IF_ERROR(check_header(file));
  const uint64_t table = u64(file, 40), room = u64(file, 48), entries = u64(file, 32);
  uint64_t end = 0;  // of the entry before, in the table
  for (uint64_t i = 0; i < entries; ++i) {
    uint64_t start = (end + ENTRY_ALIGN - 1) / ENTRY_ALIGN * ENTRY_ALIGN;
    if (start > room) start = room;
    const uint64_t at = table + start, left = room - start;
    if (left < ENTRY_COMMON) {
      return FAULT("IRPA_TRUNCATED", at, "an entry takes at least %d bytes, the table has %" PRIu64
                   " left", ENTRY_COMMON, left);
    }
    const uint32_t type = (uint32_t)number(file.data + at + 8, 4);
    if (type >= TYPES) {
      return FAULT("IRPA_BAD_ENTRY", at + 8, "type %u, types 0 to %d are known", type, TYPES - 1);
    }
    const uint64_t size = u64(file, at);
    if (size != kSizes[type]) {
      return FAULT("IRPA_BAD_ENTRY", at, "an entry of %" PRIu64 " bytes, one of type %u takes %d",
                   size, type, (int)kSizes[type]);
    }
    if (size > left) {
      return FAULT("IRPA_TRUNCATED", at, "an entry takes %" PRIu64 " bytes, the table has %" PRIu64
                   " left", size, left);
    }
    end = start + size;
    if (u64(file, at + 12)) {
      return FAULT("IRPA_BAD_FLAGS", at + 12, "flags %#" PRIx64 ", none are known",
                   u64(file, at + 12));
    }
    if (type == TYPE_SKIP) continue;
    iree_string_view_t name = iree_string_view_empty();
    IREE_RETURN_IF_ERROR(check_text(file, at + 20, "the name", &name));
    IREE_RETURN_IF_ERROR(check_range(file, at + 36, u64(file, 64), 0, "the metadata"));
    IREE_RETURN_IF_ERROR(check_body(file, at, type));
    if (keys) keys[*count] = (ireert_key){name, at + 20, *count};
    ++*count;
  }
  if (end == room) return iree_ok_status();
  return FAULT("IRPA_BAD_ENTRY", table + end, "%" PRIu64 " bytes follow the last of %" PRIu64
               " entries in the table", room - end, entries);
}

static int by_name(const void* a, const void* b) {
  const ireert_key *x = a, *y = b;
  const int order = iree_string_view_compare(x->name, y->name);
  return order ? order : (x->order > y->order) - (x->order < y->order);
}

const ireert_key* ireert_second_key(ireert_key* keys, iree_host_size_t count) {
  qsort(keys, count, sizeof(*keys), by_name);
  const ireert_key* second = NULL;
  for (iree_host_size_t i = 1; i < count; ++i) {
    if (iree_string_view_equal(keys[i - 1].name, keys[i].name) &&
        (!second || keys[i].order < second->order)) {
      second = &keys[i];
    }
  }
  return second;
}
