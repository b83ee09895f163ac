"""Generates the main packages that bind a model's constructor."""

load("@rules_go//go:def.bzl", "GoInfo")
load("//toolchains/iree:labels.bzl", "label_text")

_HEADER = """// Code generated for {label}. DO NOT EDIT.

package main

import (
	"os"

	"{driver}"

	model "{importpath}"
)

"""

def _model_main_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".go")
    ctx.actions.write(out, _HEADER.format(
        label = label_text(ctx.attr.model.label),
        driver = ctx.attr.driver,
        importpath = ctx.attr.model[GoInfo].importpath,
    ) + ctx.attr.body)
    return [DefaultInfo(files = depset([out]))]

model_main = rule(
    implementation = _model_main_impl,
    doc = "A main.go that passes a model's constructor to a driver package.",
    attrs = {
        "model": attr.label(mandatory = True, providers = [GoInfo], doc = "The go_library with the constructor."),
        "driver": attr.string(mandatory = True, doc = "Import path of the package that the main function calls."),
        "body": attr.string(mandatory = True, doc = "The main function; the model's package is imported as `model`."),
    },
)
