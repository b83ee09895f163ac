"""iree_c_embed: embeds a small program in a C binary."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load(":iree_embed.bzl", "EMBED_ATTRS", "embed_parts", "embed_run")

def _c_files_impl(ctx):
    header = ctx.actions.declare_file(ctx.attr.symbol + ".h")
    source = ctx.actions.declare_file(ctx.attr.symbol + "_data.c")
    program, archives, contract, scope, checked = embed_parts(ctx)
    embed_run(ctx, program, archives, contract, scope, checked, {
        "--header": header,
        "--include": "/".join([p for p in [ctx.label.package, ctx.attr.symbol + ".h"] if p]),
        "--name": ctx.attr.symbol,
        "--source": source,
    }, [header, source])
    return [
        DefaultInfo(files = depset([header, source])),
        OutputGroupInfo(header = depset([header]), source = depset([source])),
    ]

_c_files = rule(
    implementation = _c_files_impl,
    doc = "The header and the source of an iree_c_embed.",
    attrs = EMBED_ATTRS | {"symbol": attr.string(mandatory = True, doc = "Prefix of the C names.")},
)

def _is_identifier(text):
    for i, c in enumerate(text.elems()):
        if not (c.isalpha() or c == "_" or (i and c.isdigit())):
            return False
    return len(text) > 0

def name_fault(name):
    """Checks the name of an iree_c_embed.

    Args:
      name: as written in the BUILD file.

    Returns:
      An error message, "CODE: what is wrong; what to write instead", or None.
    """
    if _is_identifier(name):
        return None
    return "EMBED_NAMES: the name of an iree_c_embed is a prefix of C names; use only letters, digits and _"

def iree_c_embed(name, program, archive = None, **kwargs):
    """A cc_library with `NAME.h`: a program as bytes, and the arguments and results of its entry points.

    The header declares `NAME_program` and, with an archive, `NAME_archive` (or the
    array `NAME_archives` of `NAME_ARCHIVES` parts, if it is split), for
    `ireert_load_memory` and `ireert_params_memory` of
    //toolchains/iree/runtime:api, and defines for each entry point
    `NAME_ENTRY_FUNCTION` and for each argument and result its index, element
    type, rank, dimensions and size in bytes. It is included by its path in the
    workspace. For programs of up to 64 MiB.

    Args:
      name: of the cc_library, a C identifier.
      program: an iree_vmfb.
      archive: the program's irpa_archive; omit it for a program without parameters.
      **kwargs: of cc_library.
    """
    fault = name_fault(name)
    if fault:
        fail("%s: %s" % (name, fault))
    common = {k: kwargs[k] for k in ["tags", "testonly", "target_compatible_with"] if k in kwargs}
    _c_files(
        name = name + "_files",
        archive = archive,
        program = program,
        symbol = name,
        visibility = ["//visibility:private"],
        **common
    )
    for group in ["header", "source"]:
        native.filegroup(
            name = name + "_" + group,
            srcs = [name + "_files"],
            output_group = group,
            visibility = ["//visibility:private"],
            **common
        )
    cc_library(
        name = name,
        srcs = [name + "_source"],
        hdrs = [name + "_header"],
        **kwargs
    )
