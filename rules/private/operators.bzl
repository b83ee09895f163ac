"""operators_test and operations_page: what a workspace makes of operations of its own."""

load("@bazel_skylib//rules:native_binary.bzl", "native_test")
load("@rules_go//go:def.bzl", "GoInfo", "go_binary")
load("//toolchains/iree:labels.bzl", "label_text")

_HEADER = """// Code generated for {label}. DO NOT EDIT.

package main

import (
	"os"

	"{driver}"

{imports}
)

"""

def _operators_main_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".go")
    ctx.actions.write(out, _HEADER.format(
        label = label_text(ctx.label),
        driver = ctx.attr.driver,
        imports = "\n".join(["\t_ \"%s\"" % t[GoInfo].importpath for t in ctx.attr.operators]),
    ) + ctx.attr.body)
    return [DefaultInfo(files = depset([out]))]

_operators_main = rule(
    implementation = _operators_main_impl,
    doc = "A main.go that links packages which register operations, and calls a driver package.",
    attrs = {
        "operators": attr.label_list(mandatory = True, allow_empty = False, providers = [GoInfo], doc = "go_library targets that register operations."),
        "driver": attr.string(mandatory = True, doc = "Import path of the package that the main function calls."),
        "body": attr.string(mandatory = True, doc = "The main function."),
    },
)

_RANDMAIN = "github.com/skainet-dev/skainet-go/test/randgraph/randmain"

# What the test compiles and runs programs with, by the variable of randmain.
_FILES = {
    "compilerFile": Label("//toolchains/iree:compiler_compile"),
    "libraryFile": Label("//toolchains/iree:runtime_library"),
    "linkerFile": Label("//toolchains/iree:compiler_lld"),
    "toolFile": Label("//toolchains/iree:runtime_tool"),
}

def operators_test(name, operators, graphs = 20, seed = 0, dynamic = False, backends = ["cpu", "iree", "kernels"], tags = [], visibility = None, **kwargs):
    """Compares operations that a workspace registers with the CPU functions, in random graphs.

    Half of the operations of a graph are registered ones, made from the examples of their
    definitions; each occurs at least once, and one whose rule, decomposition or CPU function
    fails fails the test. A graph that computes other numbers as a program than on the CPU backend is
    shrunk and printed, and left in the test's outputs.

    Args:
      name: of the test.
      operators: go_library targets that register operations (lang/operator).
      graphs: how many.
      seed: of the first; the others follow.
      dynamic: makes sizes dynamic, and calls each program with two.
      backends: which to run, of `cpu`, `iree` (the text for any target) and `kernels` (that
        for processors).
      tags: of the test.
      visibility: of the test.
      **kwargs: `timeout`, `size` and other test attributes.
    """
    _operators_main(
        name = name + "_main",
        testonly = True,
        body = "func main() { os.Exit(randmain.Main(os.Args[1:])) }\n",
        driver = _RANDMAIN,
        operators = operators,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name + "_driver",
        testonly = True,
        srcs = [name + "_main"],
        data = _FILES.values(),
        tags = tags + ["manual"],
        x_defs = {"%s.%s" % (_RANDMAIN, var): "$(rlocationpath %s)" % label for var, label in _FILES.items()},
        deps = operators + [Label("//test/randgraph/randmain")],
    )
    native_test(
        name = name,
        src = name + "_driver",
        args = [
            "--own",
            "--backend=" + ",".join(backends),
            "--graphs=%d" % graphs,
            "--seed=%d" % seed,
        ] + (["--dynamic"] if dynamic else []),
        tags = tags,
        visibility = visibility,
        **kwargs
    )

_FORMATS = {"asciidoc": ".adoc", "json": ".json", "markdown": ".md"}

def operations_page(name, operators, format = "asciidoc", tags = [], visibility = None):
    """Writes the page of operations: those of the table, and those that packages register.

    Args:
      name: of the target; the page is `name` with the suffix of its format.
      operators: go_library targets that register operations (lang/operator).
      format: `asciidoc`, `markdown`, or `json` for programs.
      tags: of the targets.
      visibility: of the page.
    """
    if format not in _FORMATS:
        fail("%s: OPERATIONS_FORMAT: format is %r; use %s" % (name, format, ", ".join(sorted(_FORMATS))))
    label = label_text(native.package_relative_label(name))
    _operators_main(
        name = name + "_main",
        body = "func main() { os.Exit(opspage.Main(%s, os.Args[1:], os.Stderr)) }\n" % json.encode(label),
        driver = "github.com/skainet-dev/skainet-go/rules/tools/opspage",
        operators = operators,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name + "_tool",
        srcs = [name + "_main"],
        tags = tags + ["manual"],
        deps = operators + [Label("//rules/tools/opspage")],
    )
    native.genrule(
        name = name,
        outs = [name + _FORMATS[format]],
        cmd = "$(execpath :%s_tool) --format=%s --output=$@" % (name, format),
        tags = tags,
        tools = [name + "_tool"],
        visibility = visibility,
    )
