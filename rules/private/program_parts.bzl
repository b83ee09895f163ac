"""program_parts: Go source that tells a binary where to find the compiled programs of a model."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":archives.bzl", "archives_of", "need_archives")
load(":providers.bzl", "IrpaInfo", "VmfbInfo")
load(":runnable.bzl", "RUNTIME_TOOLCHAINS", "cpu_of", "runtime_of")

_SOURCE = """// Code generated for {label}. DO NOT EDIT.

package {package}

import {imports}
{declared}
func init() {{
	{variable} = program.Parts{{
		Programs: []program.Compiled{{
{programs}		}},
		Contract: {contract},
		Archives: map[string][]string{{
{archives}		}},
		Library: {library},
		Tool:    {tool},
{more}	}}
}}
"""

_PROGRAM = "\t\t\t{Target: %s, Device: %s, Arch: %s, File: %s},\n"

_IMPORT = "\"github.com/skainet-dev/skainet-go/backend/program\""

_FILES = """		Files: map[string]string{
%s		},
"""

_EMBED = """
//go:embed %s
var embedded embed.FS
"""

# Processors under Go's names.
_GOARCH = {"aarch64": "arm64", "armv7": "arm", "x86_64": "amd64"}

PARTS_ATTRS = {
    "archives": attr.label_list(providers = [IrpaInfo], doc = "The irpa_archive of each scope; by default those that the first program names."),
    "programs": attr.label_list(mandatory = True, allow_empty = False, providers = [VmfbInfo], doc = "iree_vmfb targets of one model; the binary picks the best for the device and processor it runs on."),
}

def parts_of(ctx):
    """Returns what a binary needs to run a model.

    Args:
      ctx: of a rule with PARTS_ATTRS and RUNTIME_TOOLCHAINS.

    Returns:
      A struct: programs, a list of VmfbInfo of one model; archives, as archives_of returns
      them; runtime, an IreeRuntimeInfo; runfiles.
    """
    programs = [target[VmfbInfo] for target in ctx.attr.programs]
    for program, target in zip(programs, ctx.attr.programs):
        if program.contract != programs[0].contract:
            fail("%s: PARTS_CONTRACT: %s and %s are programs of two models; give those of one skainet_model" %
                 (label_text(ctx.label), label_text(ctx.attr.programs[0].label), label_text(target.label)))
    archives = archives_of(ctx.label, programs[0], ctx.attr.archives) or programs[0].archives
    need_archives(ctx.label, programs[0], archives)
    runtime = runtime_of(ctx)
    return struct(
        programs = programs,
        archives = archives,
        runtime = runtime,
        runfiles = ctx.runfiles(
            [p.program for p in programs] + [programs[0].contract],
            transitive_files = depset(transitive = [a.files for a in archives] + [runtime.files]),
        ),
    )

def parts_source(ctx, parts, package, variable, where, files = None, embedded = []):
    """Returns Go source that sets a program.Parts.

    Args:
      ctx: of the rule.
      parts: the result of parts_of.
      package: the source's Go package.
      variable: the variable that it sets.
      where: a function from a File to its place in the Parts.
      files: dict from names to places of other files; None for a source without them.
      embedded: names of the files that the binary holds, if it does.

    Returns:
      A string.
    """
    more = "" if files == None else _FILES % "".join(["\t\t\t%s: %s,\n" % (_text(n), _text(p)) for n, p in files])
    tool = parts.runtime.iree_run_module
    return _SOURCE.format(
        label = label_text(ctx.label),
        package = package,
        imports = "(\n\t\"embed\"\n\n\t%s\n)" % _IMPORT if embedded else _IMPORT,
        declared = _EMBED % " ".join(embedded) if embedded else "",
        variable = variable,
        programs = "".join([_PROGRAM % _compiled(p, where) for p in parts.programs]),
        contract = _text(where(parts.programs[0].contract)),
        archives = "".join([
            "\t\t\t%s: {%s},\n" % (_text(a.scope), ", ".join([_text(where(f)) for f in a.files.to_list()]))
            for a in parts.archives
        ]),
        library = _text(where(parts.runtime.library) if parts.runtime.library else ""),
        tool = _text("" if embedded else where(tool)),
        more = "\t\tEmbedded: embedded,\n" if embedded else more,
    )

def _program_parts_impl(ctx):
    parts = parts_of(ctx)
    out = ctx.actions.declare_file(ctx.label.name + ".go")
    ctx.actions.write(out, parts_source(
        ctx,
        parts,
        ctx.attr.package,
        ctx.attr.variable,
        where = lambda file: place(ctx, file),
        files = sorted([(n, place(ctx, f)) for t, n in ctx.attr.files.items() for f in t.files.to_list()]),
    ))
    return [DefaultInfo(
        files = depset([out]),
        runfiles = parts.runfiles.merge(ctx.runfiles(ctx.files.files)),
    )]

def _text(text):
    """Returns a Go string literal."""
    return json.encode(text)

def place(ctx, file):
    """Returns a file's path in the runfiles.

    Args:
      ctx: of the rule.
      file: a File.

    Returns:
      A string, as rlocationpath gives it.
    """
    path = file.short_path
    return path[len("../"):] if path.startswith("../") else ctx.workspace_name + "/" + path

def _compiled(program, where):
    """Returns the fields of a program.Compiled, as Go."""
    cpu = cpu_of(program.flags)
    return (
        _text(program.target),
        _text(program.device),
        _text(_GOARCH.get(cpu, cpu) if cpu else ""),
        _text(where(program.program)),
    )

program_parts = rule(
    implementation = _program_parts_impl,
    doc = """The parts of a Go binary that runs a model: Go source, with the files as runfiles.

The source sets the package's variable `parts`, or another one, so that the binary opens its
program with `parts.Open` (package `backend/program`). The target goes into both srcs and data:

```
program_parts(
    name = "parts",
    programs = [":affine_vmfb_cpu"],
)

go_binary(
    name = "call",
    srcs = ["main.go", ":parts"],
    data = [":parts"],
    deps = ["@skainet//backend/program"],
)
```

with `var parts program.Parts` in main.go.""",
    attrs = PARTS_ATTRS | {
        "files": attr.label_keyed_string_dict(allow_files = True, doc = "Other files that the binary reads, each with the name under which `parts.File` returns it, such as `tokenizer`."),
        "package": attr.string(default = "main", doc = "The Go package of the source."),
        "variable": attr.string(default = "parts", doc = "The variable that the source sets: one for each model, in a binary of several."),
    },
    toolchains = RUNTIME_TOOLCHAINS,
)
