"""Compiles a small program for a row of the target table with the real compiler."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")

_SCRIPT = """\
#!/bin/sh
set -eu
lower() {{ TMPDIR=$TEST_TMPDIR {compiler} - -o "$1" --iree-llvmcpu-embedded-linker-path="$PWD/{linker}" {flags} $2 < {text}; }}
lower "$TEST_TMPDIR/a.vmfb" ""
(cd / && TMPDIR=$TEST_TMPDIR "$OLDPWD/{compiler}" - -o "$TEST_TMPDIR/b.vmfb" \\
  --iree-llvmcpu-embedded-linker-path="$OLDPWD/{linker}" {flags} < "$OLDPWD/{text}")
cmp "$TEST_TMPDIR/a.vmfb" "$TEST_TMPDIR/b.vmfb" || {{ echo "two folders, two programs"; exit 1; }}
test "$(wc -c < "$TEST_TMPDIR/a.vmfb")" -gt 2000 || {{ echo "the program is empty"; exit 1; }}
lower "$TEST_TMPDIR/flow.mlir" --compile-to=flow
case {device} in vulkan)
  # What the compiler took the target for, not what the flag says.
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
        flags = " ".join(["'%s'" % f for f in target.flags]),
        device = target.device,
        text = ctx.file.text.short_path,
    ), is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles([ctx.file.text], transitive_files = compiler.files),
    )]

target_compile_test = rule(
    implementation = _impl,
    doc = "Passes when a row compiles the text to the same bytes from two folders, for a device that it should be.",
    test = True,
    attrs = {
        "target": attr.string(mandatory = True, doc = "The row."),
        "text": attr.label(allow_single_file = True, mandatory = True, doc = "StableHLO text."),
    },
    toolchains = [COMPILER_TYPE],
)
