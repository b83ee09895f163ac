"""What the compiler refuses, as a file with its words."""

load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")

# One case: the compiler's first error, without its place.
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

    # What the shell says of a compiler that was aborted tells nothing.
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
        progress_message = "Asking the compiler for what it refuses",
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
    """Compiles what must fail, and writes a line for each case.

    Args:
      name: of the target, which gives NAME.txt.
      cases: from a case, a row's name with or without more words, to a text.
    """
    texts = {}
    for case, text in cases.items():
        texts[text] = texts[text] + ";" + case if text in texts else case
    _refusals(name = name, texts = texts)
