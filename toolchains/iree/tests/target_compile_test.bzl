"""Compiles a small program for a row of the target table with the real compiler."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")

_SCRIPT = """\
#!/bin/sh
set -eu
tool=$PWD/{tool} compiler=$PWD/{compiler} linker=$PWD/{linker} text=$PWD/{text}
lower() {{
  out=$1
  shift
  "$tool" --compiler "$compiler" --linker "$linker" --text "$text" --output "$out" {flags} "$@"
}}
lower "$TEST_TMPDIR/a.vmfb" {library}
(cd / && lower "$TEST_TMPDIR/b.vmfb" {library})
cmp "$TEST_TMPDIR/a.vmfb" "$TEST_TMPDIR/b.vmfb" || {{ echo "two folders, two programs"; exit 1; }}
test "$(wc -c < "$TEST_TMPDIR/a.vmfb")" -gt 2000 || {{ echo "the program is empty"; exit 1; }}
# The tool only makes programs.
"$compiler" "$text" -o "$TEST_TMPDIR/flow.mlir" {words} --compile-to=flow
# The instructions of a processor's name, as the compiler knows them.
LC_ALL=C
export LC_ALL
got=$(grep -o 'cpu_features = "[^"]*"' "$TEST_TMPDIR/flow.mlir" | sort -u | sed 's/.*= "//; s/"//' | tr , '\n' | sed 's/^+//' | grep -v '^reserve-' | sort | tr '\n' ' ' || true)
test "$got" = '{instructions}' || {{ echo "the compiler says $got, the table {instructions}"; exit 1; }}
case {device} in vulkan)
  # The target as the compiler understood it, not as the flag says.
  grep -o 'storage = [b0-9|]*' "$TEST_TMPDIR/flow.mlir" | sort -u > "$TEST_TMPDIR/storage"
  cat "$TEST_TMPDIR/storage"
  grep -q b16 "$TEST_TMPDIR/storage" && grep -q b8 "$TEST_TMPDIR/storage" || {{ echo "no 8- and 16-bit storage"; exit 1; }}
esac
"""

def _impl(ctx):
    target = TARGETS[ctx.attr.target]
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, _SCRIPT.format(
        compiler = compiler.iree_compile.short_path,
        linker = compiler.iree_lld.short_path,
        flags = " ".join(["--flag '%s'" % f for f in target.flags]),
        words = " ".join(["'%s'" % f for f in target.flags]),
        library = '--object "$TEST_TMPDIR/library.o" --header "$TEST_TMPDIR/library.h"' if target.static_library else "",
        tool = ctx.executable._tool.short_path,
        device = target.device,
        instructions = "".join([i + " " for i in target.instructions]),
        text = ctx.file.text.short_path,
    ), is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(
            [ctx.file.text, ctx.executable._tool],
            transitive_files = compiler.files,
        ),
    )]

target_compile_test = rule(
    implementation = _impl,
    doc = "Passes if a row compiles the text to the same bytes from two folders, for the right device and the instructions that the row states.",
    test = True,
    attrs = {
        "target": attr.string(mandatory = True, doc = "The row."),
        "text": attr.label(allow_single_file = True, mandatory = True, doc = "StableHLO text."),
        "_tool": attr.label(default = "//rules/tools/compile", executable = True, cfg = "target"),
    },
    toolchains = [COMPILER_TYPE],
)
