"""release: the files of a release, in a folder."""

load("@rules_go//go:def.bzl", "go_binary")
load("//rules:defs.bzl", "ParityInfo")
load("//toolchains/zig:platform_binary.bzl", "platform_binary")

def _release_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add("--version", ctx.attr.version)
    inputs = []

    def add(flag, name, file):
        args.add(file, format = "--" + flag + "=" + name.replace("%", "%%") + "=%s")
        inputs.append(file)

    for flag, attribute in [("file", ctx.attr.files), ("model", ctx.attr.models), ("parity", ctx.attr.parity)]:
        for target, name in attribute.items():
            files = target[DefaultInfo].files.to_list()
            if len(files) != 1:
                fail("%s: %s has %d files; name a target with one" % (ctx.label, target.label, len(files)))
            add(flag, name, files[0])
    for file in ctx.files.sources:
        add("source", file.short_path, file)
    args.add_all([out], before_each = "--out", expand_directories = False)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = inputs,
        outputs = [out],
        mnemonic = "Release",
        progress_message = "Writing the release %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

_release = rule(
    implementation = _release_impl,
    doc = "A folder with the files of a release, what they are made from, and their sums.",
    attrs = {
        "files": attr.label_keyed_string_dict(allow_files = True, doc = "The files, each with its name."),
        "models": attr.label_keyed_string_dict(allow_files = True, doc = "model_tar targets, each with its name, which ends in .tar."),
        "parity": attr.label_keyed_string_dict(allow_files = True, doc = "What parity tests printed, each with the model's name."),
        "sources": attr.label_list(allow_files = True, doc = "The files of this repository that say what is used, and by which hash."),
        "version": attr.string(mandatory = True, doc = "Of the module."),
        "_tool": attr.label(default = "//tools/release/write", executable = True, cfg = "exec"),
    },
)

def _parity_report_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    test = ctx.attr.test[DefaultInfo]
    ctx.actions.run_shell(
        # How long a comparison took is not the same in two builds.
        command = 'set -o pipefail; out=$1; shift; "$@" | sed "/ took [0-9.]* s$/d" > "$out"',
        arguments = [out.path, test.files_to_run.executable.path] + ctx.attr.test[ParityInfo].args,
        env = ctx.attr.test[RunEnvironmentInfo].environment,
        tools = [test.files_to_run],
        outputs = [out],
        mnemonic = "ParityReport",
        progress_message = "Comparing %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

_parity_report = rule(
    implementation = _parity_report_impl,
    doc = "What a parity test prints, as a file: how far the program's results are from the reference's.",
    attrs = {"test": attr.label(mandatory = True, executable = True, cfg = "target", providers = [ParityInfo])},
)

def _native_name(platform, program):
    """Returns a program's name for a platform of Go, in the notation GOOS_GOARCH."""
    return "%s-%s%s" % (program, platform.replace("_", "-"), ".exe" if platform.startswith("windows") else "")

def release(name, programs, platforms, models = {}, parity = {}, files = {}, sources = [], **kwargs):
    """Declares a release.

    Args:
      name: of the folder.
      programs: dict from the names of programs to their go_library.
      platforms: dict from GOOS_GOARCH to the programs for it.
      models: dict from names to model_tar targets.
      parity: dict from names to parity tests, which the release runs.
      files: dict from names to other files.
      sources: the files of this repository that say what is used, and by which hash.
      **kwargs: of the release.
    """
    for program, library in programs.items():
        go_binary(
            name = "%s_%s" % (name, program),
            out = program,
            embed = [library],
            gc_linkopts = [
                "-s",
                "-w",
            ],
            pure = "on",
            static = "on",
            tags = ["manual"],
            visibility = ["//visibility:private"],
        )
    all_files = {label: file for file, label in files.items()}
    for platform, of in platforms.items():
        for program in of:
            one = "%s_%s_%s" % (name, program, platform)
            platform_binary(
                name = one,
                out = "%s_files/%s" % (name, _native_name(platform, program)),
                binary = "%s_%s" % (name, program),
                platform = Label("@rules_go//go/toolchain:" + platform),
                tags = ["manual"],
                visibility = ["//visibility:private"],
            )
            all_files[":" + one] = _native_name(platform, program)
    for model, test in parity.items():
        _parity_report(
            name = "%s_%s_parity" % (name, model),
            tags = ["manual"],
            test = test,
            testonly = True,
            visibility = ["//visibility:private"],
        )
    _release(
        name = name,
        files = all_files,
        models = {label: model + ".tar" for model, label in models.items()},
        parity = {":%s_%s_parity" % (name, model): model for model in parity},
        sources = sources,
        version = native.module_version(),
        **kwargs
    )
