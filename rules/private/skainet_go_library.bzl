"""skainet_go_library: a Go package that calls a model."""

load("@rules_go//go:def.bzl", "go_library")
load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "check_archives")
load(":program_parts.bzl", "PARTS_ATTRS", "parts_of", "parts_source", "place")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS")

# What the written package imports.
_DEPS = [
    "//backend",
    "//backend/program",
    "//backend/typed",
    "//compile/contract",
    "//tensor",
]

def _files_impl(ctx):
    parts = parts_of(ctx)
    contract = parts.programs[0].contract
    source = ctx.actions.declare_file(ctx.label.name + "/model.go")
    places = ctx.actions.declare_file(ctx.label.name + "/parts.go")
    embedded = []
    if ctx.attr.embed:
        if not parts.runtime.library:
            fail("%s: GO_LIBRARY_EMBED: IREE's runtime library cannot be built for this platform, and nothing else can be embedded; leave out embed" % label_text(ctx.label))

        # go:embed takes only files from the source's own folder.
        def put(name, file):
            link = ctx.actions.declare_file("%s/%s" % (ctx.label.name, name))
            ctx.actions.symlink(output = link, target_file = file)
            embedded.append(link)
            return name

        names = {p.program: put("program-%d.vmfb" % i, p.program) for i, p in enumerate(parts.programs)}
        names[contract] = put("contract.json", contract)
        for a in parts.archives:
            for i, file in enumerate(a.files.to_list()):
                names[file] = put("%s-%d.irpa" % (a.scope, i), file)
        names[parts.runtime.library] = put(parts.runtime.library.basename, parts.runtime.library)
        ctx.actions.write(places, parts_source(
            ctx,
            parts,
            ctx.attr.package,
            "parts",
            where = lambda file: names[file],
            embedded = sorted(names.values()),
        ))
    else:
        ctx.actions.write(places, parts_source(ctx, parts, ctx.attr.package, "parts", where = lambda file: place(ctx, file)))

    args = ctx.actions.args()
    args.add("--label", label_text(ctx.label).removesuffix(_FILES))
    args.add("--contract", contract)
    args.add("--package", ctx.attr.package)
    args.add("--out", source)
    args.add_all(embedded, before_each = "--embedded")
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [contract] + embedded + check_archives(ctx, ctx.label.name + ".archives.checked", contract, parts.archives),
        outputs = [source],
        mnemonic = "SkainetGoLibrary",
        progress_message = "Writing the Go package of %{label}",
    )
    return [
        DefaultInfo(
            files = depset([source, places]),
            runfiles = ctx.runfiles() if ctx.attr.embed else parts.runfiles,
        ),
        OutputGroupInfo(embedded = depset(embedded)),
    ]

_FILES = "_files"

_skainet_go_files = rule(
    implementation = _files_impl,
    doc = "The sources of a skainet_go_library, with the files that they name.",
    attrs = PARTS_ATTRS | {
        "embed": attr.bool(doc = "Whether the binary holds the files."),
        "package": attr.string(mandatory = True, doc = "The Go package's name."),
        "_artifact": attr.label(default = "//rules/tools/artifact", executable = True, cfg = "exec"),
        "_tool": attr.label(default = "//rules/tools/golibrary", executable = True, cfg = "exec"),
    },
    toolchains = RUNTIME_TOOLCHAINS,
)

def skainet_go_library(name, importpath, programs, archives = [], embed = False, package = None, **kwargs):
    """A go_library that calls a model: `Open`, and a method for each entry point.

    The package finds the program, its weights, its contract and IREE's runtime by itself:
    among the runfiles of the binary, next to the binary if they were copied there, or, with
    `embed`, in the binary itself. Of a model with the entry point `main`, which takes `x:
    f32[3]` and gives `y: f32[3]`, the package has

    ```
    func Open(o program.Options) (*Model, error)
    func (m *Model) Main(ctx context.Context, x []float32) (out []float32, err error)
    func (m *Model) Session(archives map[string][]string) (*Model, error)
    func (m *Model) Close() error
    ```

    Several arguments or results are a struct, `MainIn` or `MainOut`. The size of a dimension that only a
    call knows follows from the length of a slice where that tells it, and is a field
    otherwise. State stays in the Model between calls; `Session` opens another Model with a
    state of its own, and the same weights in memory.

    Args:
      name: of the go_library.
      importpath: the library's Go import path.
      programs: iree_vmfb targets of one model; the package takes the best for the device and
        the processor that it runs on.
      archives: the irpa_archive of each scope; by default those that the first program names.
      embed: whether the binary holds all files: 64 MiB in total at most. They are written to a
        temporary folder while they are loaded.
      package: the Go package's name; the last element of importpath by default.
      **kwargs: of go_library.
    """
    common = {k: kwargs[k] for k in ["tags", "testonly", "target_compatible_with"] if k in kwargs}
    files = name + _FILES
    _skainet_go_files(
        name = files,
        archives = archives,
        embed = embed,
        package = package or importpath.rpartition("/")[2],
        programs = programs,
        visibility = ["//visibility:private"],
        **common
    )
    native.filegroup(
        name = name + "_embedded",
        srcs = [files],
        output_group = "embedded",
        visibility = ["//visibility:private"],
        **common
    )
    go_library(
        name = name,
        srcs = [files],
        data = kwargs.pop("data", []) + [files],
        embedsrcs = [name + "_embedded"] if embed else [],
        importpath = importpath,
        deps = kwargs.pop("deps", []) + [Label(d) for d in _DEPS],
        **kwargs
    )
