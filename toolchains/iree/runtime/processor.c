// Compares the instructions that a program's code may use with the processor's: one that
// is missing ends the process that reaches it, without a word.
//
// The compiler writes the targets of the code into each program, for the message of a
// device that does not fit:
//
//   #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v4",
//   cpu_features = "+avx2,+avx512f,...", ..., target_triple = "x86_64-..."}>
#include <string.h>

#include "internal.h"
#include "iree/base/internal/cpu.h"
#include "iree/base/threading/call_once.h"
#include "iree/schemas/cpu_data.h"

// What is told of the processor: not on RISC-V, where Linux tells of vectors from 6.5 on
// and boards with vectors have older ones, and not of 32-bit Arm.
#if defined(IREE_ARCH_X86_64)
static const char* const kArchitectures[] = {"x86_64"};
#elif defined(IREE_ARCH_ARM_64) && \
    (defined(IREE_PLATFORM_LINUX) || defined(IREE_PLATFORM_ANDROID) || defined(IREE_PLATFORM_APPLE))
static const char* const kArchitectures[] = {"aarch64", "arm64"};
#else
#define IREERT_NOT_TOLD 1
#endif

#if IREERT_NOT_TOLD
iree_status_t ireert_check_processor(iree_const_byte_span_t program) {
  (void)program;
  return iree_ok_status();
}
#else

// Longer texts are no targets.
#define IREERT_MAX_TARGET (1 << 16)

static iree_once_flag g_once = IREE_ONCE_FLAG_INIT;
static uint64_t g_fields[IREE_CPU_DATA_FIELD_COUNT];

// Copies what IREE writes anew for each device.
static void ireert_read_once(void) {
  iree_cpu_initialize(iree_allocator_system());
  iree_cpu_read_data(IREE_CPU_DATA_FIELD_COUNT, g_fields);
}

// Whether the processor has an instruction, by the compiler's name. Those that IREE does
// not tell of are taken to be there: processors with the vectors of their time have them.
static int ireert_has(iree_string_view_t name) {
#define IREE_CPU_FEATURE_BIT(arch, field, bit, bit_name, llvm_name) \
  if (IREE_ARCH_ENUM == IREE_ARCH_ENUM_##arch &&                    \
      iree_string_view_equal(name, IREE_SV(llvm_name))) {           \
    return (int)((g_fields[field] >> (bit)) & 1);                   \
  }
#include "iree/schemas/cpu_feature_bits.inl"
#undef IREE_CPU_FEATURE_BIT
  return 1;
}

// Gives where a text begins that is not empty, or its length where it is not there.
static iree_host_size_t ireert_find(iree_string_view_t in, iree_string_view_t what) {
  for (iree_host_size_t at = 0; in.size - at >= what.size; ++at) {
    const char* first = memchr(in.data + at, what.data[0], in.size - at - what.size + 1);
    if (!first) break;
    at = (iree_host_size_t)(first - in.data);
    if (!memcmp(first, what.data, what.size)) return at;
  }
  return in.size;
}

static iree_string_view_t ireert_from(iree_string_view_t text, iree_host_size_t at) {
  return iree_string_view_substr(text, at, IREE_HOST_SIZE_MAX);
}

// Gives what lies between two texts, empty where they are not there.
static iree_string_view_t ireert_between(iree_string_view_t in, const char* before,
                                         const char* behind) {
  iree_string_view_t mark = iree_make_cstring_view(before);
  const iree_host_size_t at = ireert_find(in, mark);
  if (at == in.size) return iree_string_view_empty();
  iree_string_view_t rest = ireert_from(in, at + mark.size);
  const iree_host_size_t n = ireert_find(rest, iree_make_cstring_view(behind));
  return n == rest.size ? iree_string_view_empty() : iree_string_view_substr(rest, 0, n);
}

// Writes the instructions that the processor lacks, and gives their number.
static int ireert_lacking(iree_string_view_t features, char* out, iree_host_size_t cap) {
  int count = 0;
  iree_host_size_t used = 0;
  out[0] = 0;
  while (features.size) {
    iree_string_view_t name;
    iree_string_view_split(features, ',', &name, &features);
    if (!iree_string_view_consume_prefix(&name, IREE_SV("+")) || ireert_has(name)) continue;
    ++count;
    if (used + name.size + 3 > cap) continue;
    if (used) {
      memcpy(out + used, ", ", 2);
      used += 2;
    }
    memcpy(out + used, name.data, name.size);
    used += name.size;
    out[used] = 0;
  }
  return count;
}

static iree_string_view_t ireert_architecture(iree_string_view_t triple) {
  iree_string_view_t architecture, rest;
  iree_string_view_split(triple, '-', &architecture, &rest);
  return architecture;
}

static int ireert_is_here(iree_string_view_t triple) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(kArchitectures); ++i) {
    if (iree_string_view_equal(ireert_architecture(triple),
                               iree_make_cstring_view(kArchitectures[i]))) {
      return 1;
    }
  }
  return 0;
}

static uint32_t ireert_number(const uint8_t* p, int bytes) {
  uint32_t n = 0;
  for (int i = 0; i < bytes; ++i) n |= (uint32_t)p[i] << (8 * i);
  return n;
}

// Gives the program's module: the first part of a ZIP, which is stored. Of what is no
// ZIP, and left to the loader, all.
static iree_string_view_t ireert_module(iree_const_byte_span_t program) {
  const uint8_t* p = program.data;
  const iree_host_size_t size = program.data_length;
  iree_string_view_t all = iree_make_string_view((const char*)p, size);
  if (size < 30 || memcmp(p, "PK\3\4", 4) != 0) return all;
  const iree_host_size_t head = 30 + ireert_number(p + 26, 2) + ireert_number(p + 28, 2);
  if (head >= size) return iree_string_view_empty();
  return iree_string_view_substr(all, head, ireert_number(p + 18, 4));
}

iree_status_t ireert_check_processor(iree_const_byte_span_t program) {
  iree_call_once(&g_once, ireert_read_once);
  iree_string_view_t mark = IREE_SV("#hal.executable.target<\"llvm-cpu\", ");
  iree_string_view_t rest = ireert_module(program);
  int fewest = 0;  // instructions that are missing, of the form of the code that comes closest
  char names[512] = "", elsewhere[64] = "";
  for (iree_host_size_t at; (at = ireert_find(rest, mark)) < rest.size;) {
    rest = ireert_from(rest, at + mark.size);
    iree_string_view_t target =
        ireert_between(iree_string_view_substr(rest, 0, IREERT_MAX_TARGET), "{", "}>");
    iree_string_view_t triple = ireert_between(target, " target_triple = \"", "\"");
    if (iree_string_view_is_empty(triple)) continue;
    if (!ireert_is_here(triple)) {
      iree_string_view_to_cstring(
          iree_string_view_substr(ireert_architecture(triple), 0, sizeof elsewhere - 1), elsewhere,
          sizeof elsewhere);
      continue;
    }
    char lacking[sizeof names];
    const int count =
        ireert_lacking(ireert_between(target, "cpu_features = \"", "\""), lacking, sizeof lacking);
    if (count == 0) return iree_ok_status();
    if (!fewest || count < fewest) {
      fewest = count;
      memcpy(names, lacking, sizeof names);
    }
  }
  if (fewest) {
    return iree_make_status(
        IREE_STATUS_INCOMPATIBLE,
        "PROGRAM_CPU: the program needs instructions that this processor lacks: %s", names);
  }
  if (elsewhere[0]) {
    return iree_make_status(
        IREE_STATUS_INCOMPATIBLE,
        "PROGRAM_CPU: the program is for a processor with the architecture %s, and this one has %s",
        elsewhere, kArchitectures[0]);
  }
  return iree_ok_status();
}
#endif  // IREERT_NOT_TOLD
