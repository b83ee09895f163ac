"""Repository rules for the weights of any workspace.

    weights_package = use_repo_rule("@skainet//rules:repositories.bzl", "weights_package")

They are rules and not tags of an extension, so that each module has its own
names: two that call their weights `base` do not conflict.
"""

load("//tools/repos:archive_files.bzl", _weights_package = "archive_files")
load("//tools/repos:weights.bzl", _weights_path = "weights_path", _weights_url = "weights_url")

weights_package = _weights_package
weights_path = _weights_path
weights_url = _weights_url
