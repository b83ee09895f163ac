"""Cuts the crate that ships IREE's sources down to what libireert is built from.

    prepare_runtime.py CRATE_DIR OUT_DIR

Keeps C sources, headers, schemas and licences of the runtime, flatcc and the
Vulkan headers; drops other packages' build files, which would make Bazel
packages of the folders; mends what is known to be wrong; runs the runtime's own
generator of the bytecode tables, so that the build itself needs no Python.
CRATE_DIR is removed.
"""

import os
import shutil
import subprocess
import sys

_KEPT_ROOTS = ("runtime/src/iree", "third_party/flatcc", "third_party/nccl", "third_party/vulkan_headers")
_KEPT_SUFFIXES = (".c", ".h", ".inl", ".inc", ".def", ".fbs", ".json")
_DROPPED = (
    "runtime/src/iree/hal/drivers/amdgpu", "runtime/src/iree/hal/drivers/hip",
    "runtime/src/iree/hal/drivers/metal",
    "runtime/src/iree/hal/drivers/null", "runtime/src/iree/hal/drivers/webgpu",
    "runtime/src/iree/testing", "runtime/src/iree/tokenizer",
    "third_party/flatcc/reflection", "third_party/flatcc/samples", "third_party/flatcc/test",
    "third_party/vulkan_headers/registry", "third_party/vulkan_headers/tests",
)
# Faults of the sources: (file, what is there once, what is put in its place).
_MENDED = (
    # The system call came with Linux 6.4. Without it the process was ended, though all
    # that is lost is what the processor has besides the basics.
    ("runtime/src/iree/base/internal/cpu.c",
     '    fprintf(stderr, "riscv_hwprobe syscall failed");\n    exit(1);\n',
     "    return;\n"),
    # NVIDIA's driver is installed under this name; the other is a link that only its
    # packages for developers bring.
    ("runtime/src/iree/hal/drivers/cuda/cuda_dynamic_symbols.c",
     '    "libcuda.so",\n',
     '    "libcuda.so.1",\n    "libcuda.so",\n'),
    # Threads take increasing values and then signal them in any order. The value of a
    # timeline must increase: Mesa takes another order for a lost device.
    ("runtime/src/iree/hal/drivers/vulkan/queue.c",
     "static iree_status_t iree_hal_vulkan_queue_signal_wakeup(\n",
     "static iree_status_t skainet_signal_wakeup_in_any_order(\n"),
    ("runtime/src/iree/hal/drivers/vulkan/queue.c",
     "static iree_status_t iree_hal_vulkan_queue_validate_host_call(\n",
     """#include <pthread.h>

static iree_status_t iree_hal_vulkan_queue_signal_wakeup(iree_hal_vulkan_queue_t* queue) {
  static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one_by_one);
  iree_status_t status = skainet_signal_wakeup_in_any_order(queue);
  pthread_mutex_unlock(&one_by_one);
  return status;
}

static iree_status_t iree_hal_vulkan_queue_validate_host_call(
"""),
)
_ISA = "runtime/src/iree/vm/bytecode/isa/"


def kept(path):
    """Whether a file, by its path below iree/, is used."""
    name = os.path.basename(path)
    if path.startswith(tuple(d + "/" for d in _DROPPED)):
        return False
    if name.startswith(("LICENSE", "NOTICE", "AUTHORS")):
        return True
    return path.startswith(tuple(r + "/" for r in _KEPT_ROOTS)) and name.endswith(_KEPT_SUFFIXES)


def mend(path, old, new):
    """Replaces a text that must be in the file once."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        sys.exit("%s: what is mended there has changed; see _MENDED in prepare_runtime.py" % path)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))


def main(crate, out):
    source = os.path.join(crate, "iree")
    for folder, _, names in os.walk(source):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), source)
            if kept(path):
                target = os.path.join(out, "iree", path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.move(os.path.join(folder, name), target)
    for path, old, new in _MENDED:
        mend(os.path.join(out, "iree", path), old, new)
    generator = os.path.join(source, "build_tools/scripts/generate_vm_isa.py")
    isa = os.path.join(out, "iree", _ISA)
    for options in (
        ["--op-table", isa + "op_table.h"],
        ["--encoding-table-header", isa + "encoding_table.h", "--encoding-table-source", isa + "encoding_table.c"],
    ):
        subprocess.run([sys.executable, "-B", generator, "--schema", isa + "isa.json"] + options, check=True)
    shutil.rmtree(crate)


if __name__ == "__main__":
    main(*sys.argv[1:])
