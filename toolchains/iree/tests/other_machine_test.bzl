"""Compiles a small program with the compiler of another kind of machine, under an emulator."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE", "IreeCompilerInfo")

# The compiler starts its linker itself, so both are scripts.
_SCRIPT = """\
#!/bin/sh
set -eu
tool=$PWD/{tool} text=$PWD/{text} here=$PWD
lower() {{
  "$tool" --compiler "$1" --linker "$2" --text "$text" --output "$3" {flags} {library}
}}
for program in {compile} {lld}; do
  printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$here/{emulator}" "$here/$program" > "$TEST_TMPDIR/${{program##*/}}"
done
chmod +x "$TEST_TMPDIR/iree-compile" "$TEST_TMPDIR/iree-lld"
lower "$here/{own_compile}" "$here/{own_lld}" "$TEST_TMPDIR/own.vmfb"
lower "$TEST_TMPDIR/iree-compile" "$TEST_TMPDIR/iree-lld" "$TEST_TMPDIR/other.vmfb"
test "$(wc -c < "$TEST_TMPDIR/own.vmfb")" -gt 2000 || {{ echo "the program is empty"; exit 1; }}
cmp "$TEST_TMPDIR/own.vmfb" "$TEST_TMPDIR/other.vmfb" || {{ echo "two machines, two programs"; exit 1; }}
"""

def _impl(ctx):
    target = TARGETS[ctx.attr.target]
    own = ctx.toolchains[COMPILER_TYPE].iree_compiler
    other = ctx.attr.compiler[IreeCompilerInfo]
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, _SCRIPT.format(
        compile = other.iree_compile.short_path,
        emulator = ctx.executable.emulator.short_path,
        flags = " ".join(["--flag '%s'" % f for f in target.flags]),
        library = '--object "$TEST_TMPDIR/library.o" --header "$TEST_TMPDIR/library.h"' if target.static_library else "",
        lld = other.iree_lld.short_path,
        own_compile = own.iree_compile.short_path,
        own_lld = own.iree_lld.short_path,
        text = ctx.file.text.short_path,
        tool = ctx.executable._tool.short_path,
    ), is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(
            [ctx.file.text],
            transitive_files = depset(transitive = [own.files, other.files]),
        ).merge(ctx.attr._tool[DefaultInfo].default_runfiles).merge(ctx.attr.emulator[DefaultInfo].default_runfiles),
    )]

other_machine_test = rule(
    implementation = _impl,
    doc = "Passes if the compilers of this and of another machine produce the same bytes from a text.",
    test = True,
    attrs = {
        "compiler": attr.label(mandatory = True, providers = [IreeCompilerInfo], doc = "The other machine's."),
        "emulator": attr.label(mandatory = True, executable = True, cfg = "target", doc = "What runs the other machine's programs."),
        "target": attr.string(mandatory = True, doc = "The row."),
        "text": attr.label(allow_single_file = True, mandatory = True, doc = "StableHLO text."),
        "_tool": attr.label(default = "//rules/tools/compile", executable = True, cfg = "target"),
    },
    toolchains = [COMPILER_TYPE],
)
