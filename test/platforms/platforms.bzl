"""The platforms that the Go code is built for, and what runs their programs in the tests.

A row has the name of rules_go's platform. The page on platforms and the tests of
this folder are made from it.
"""

def _row(doc, runner = None, args = [], data = [], by = "", like = ""):
    """A platform.

    Args:
      doc: what it is.
      runner: the program that runs its programs on Linux for x86-64; None if nothing does.
      args: what the runner gets before the program.
      data: files of args.
      by: the runner's name.
      like: a row that stands for it in `bazel test //...`: its own tests run by name.
    """
    return struct(args = args, by = by, data = data, doc = doc, like = like, runner = runner)

_NODE = "@go_sdk_pinned//:lib/wasm/wasm_exec_node.js"

GO_PLATFORMS = {
    "android_arm64": _row("Android on 64-bit Arm", like = "linux_arm64"),
    "darwin_amd64": _row("macOS on Intel", like = "darwin_arm64"),
    "darwin_arm64": _row("macOS on Apple silicon"),
    "js_wasm": _row(
        "WebAssembly in a browser or Node.js",
        args = ["--stack-size=8192", "$(rootpath %s)" % _NODE],
        by = "Node.js",
        data = [_NODE, "@go_sdk_pinned//:lib/wasm/wasm_exec.js"],
        runner = "//test/platforms:node",
    ),
    "linux_arm64": _row("Linux on 64-bit Arm", by = "QEMU", runner = "@qemu_aarch64//:exec"),
    "linux_riscv64": _row("Linux on 64-bit RISC-V", by = "QEMU", like = "linux_arm64", runner = "@qemu_riscv64//:exec"),
    "wasip1_wasm": _row("WebAssembly with WASI preview 1", by = "wazero", runner = "//test/platforms/wasi"),
    "windows_amd64": _row("Windows on x86-64"),
    "windows_arm64": _row("Windows on 64-bit Arm", like = "windows_amd64"),
}
