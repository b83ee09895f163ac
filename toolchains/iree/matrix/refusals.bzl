"""Records what the compiler rejects, as a file with its messages."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")

# One case: the compiler's first error, without its location.
_CASE = """
if {compiler} - -o "$t/p.vmfb" --iree-llvmcpu-embedded-linker-path="$PWD/{linker}" {flags} < {text} > "$t/err" 2>&1
then m=compiles
else m=$(grep -m1 -E 'undefined symbol|error: |ERROR: ' "$t/err" | sed 's/.*\\(undefined symbol: \\)/\\1/; s/.*error: //; s/.*ERROR: //; s/: %.*//')
fi
printf '%s: %s\\n' '{name}' "$m" >> {out}
"""

def _impl(ctx):
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    texts = {}
    for target, names in ctx.attr.texts.items():
        for name in names.split(";"):
            texts[name] = target[DefaultInfo].files.to_list()[0]

    # The shell's own message about an aborted compiler is of no use.
    script = ["set -u; t=$(mktemp -d); export TMPDIR=$t; exec 2> \"$t/shell\""]
    for name in sorted(texts):
        script.append(_CASE.format(
            compiler = compiler.iree_compile.path,
            flags = " ".join(["'%s'" % f for f in TARGETS[name.partition(" ")[0]].flags]),
            linker = compiler.iree_lld.path,
            name = name,
            out = out.path,
            text = texts[name].path,
        ))
    ctx.actions.run_shell(
        command = "\n".join(script),
        inputs = texts.values(),
        mnemonic = "IreeRefused",
        outputs = [out],
        progress_message = "Recording what the compiler rejects",
        toolchain = COMPILER_TYPE,
        tools = [compiler.files],
    )
    return [DefaultInfo(files = depset([out]))]

_refusals = rule(
    implementation = _impl,
    attrs = {"texts": attr.label_keyed_string_dict(allow_files = [".mlir"])},
    toolchains = [COMPILER_TYPE],
)

def refusals(name, cases):
    """Compiles texts that must fail, and writes a line for each case.

    Args:
      name: of the target, which writes NAME.txt.
      cases: dict from a case, a row's name optionally followed by more words, to a text.
    """
    texts = {}
    for case, text in cases.items():
        texts[text] = texts[text] + ";" + case if text in texts else case
    _refusals(name = name, texts = texts)
