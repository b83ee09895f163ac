"""skainet_layer_diff: finds the first operation at which a program and the CPU reference differ."""

load("//toolchains/iree:toolchain.bzl", "COMPILER_TYPE")
load(":launcher.bzl", "launcher")
load(":parity_words.bzl", "PARITY_ATTRS", "bisect_words", "parity_words")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS", "program_of")

def _layer_diff_impl(ctx):
    compiler = ctx.toolchains[COMPILER_TYPE].iree_compiler
    parity = parity_words(ctx)
    script = launcher(
        ctx,
        ctx.executable.driver,
        parity.words + bisect_words(program_of(ctx.attr.program), compiler) + ctx.attr.parity_args,
        prefix = parity.prefix,
    )
    return [
        DefaultInfo(
            executable = script,
            runfiles = parity.runfiles.merge(ctx.runfiles(transitive_files = compiler.files)),
        ),
        RunEnvironmentInfo(environment = parity.environment),
        OutputGroupInfo(_validation = parity.validation),
    ]

skainet_layer_diff = rule(
    implementation = _layer_diff_impl,
    doc = """Names the first operation whose result differs from the CPU reference's.

`bazel run :m.layer_diff -- --only=CASE` compiles the model repeatedly with
intermediate values as results, on the machine it runs on, until it finds an operation
whose inputs agree and whose result does not; it prints the values, and
whether the operation also differs in isolation. skainet_model declares one for each
parity test, and a failure of that test names it.""",
    attrs = PARITY_ATTRS | {
        "parity_args": attr.string_list(doc = "The arguments of the parity test, such as --rtol=1e-3."),
    },
    executable = True,
    toolchains = [COMPILER_TYPE] + RUNTIME_TOOLCHAINS,
)
