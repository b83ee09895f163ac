"""Lays out the Bazel modules of this workspace without a module registry.

    modules.py WORKSPACE DISTRIBUTION FINAL STAGE

rules_go and gazelle come through the host's Go proxy, at the versions MODULE.bazel
names; rule sets that Debian packages are used from DISTRIBUTION; modules that are
only named and never built are the stand-ins of tools/bazel/stubs. STAGE/modules.bazelrc
then overrides each module of the graph, so that no registry is asked. Paths written
are those below FINAL, where STAGE is renamed to afterwards.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Modules that Debian's Bazel brings, with their directory below usr/share/bazel.
PACKAGED = {
    "bazel_skylib": "tools/skylib",
    "platforms": "tools/platforms",
    "rules_cc": "rules/cc",
    "rules_java": "rules/java",
    "rules_license": "rules/license",
    "rules_proto": "rules/proto",
    "rules_python": "rules/python",
    "rules_shell": "rules/shell",
}

GO = {**os.environ, "GOFLAGS": "-mod=mod", "GOWORK": "off", "GOTOOLCHAIN": "local", "GO111MODULE": "on"}


def wanted_version(module_file, name):
    """The version of a bazel_dep in MODULE.bazel, which is the one place that names it."""
    found = re.search(rf'bazel_dep\(name = "{name}", version = "([^"]+)"', module_file.read_text())
    if not found:
        sys.exit(f"{module_file} has no bazel_dep on {name}")
    return "v" + found[1]


def place(stage, path, version, target):
    """Copies a Go module's source to target and returns target.

    A module zip keeps no execute bits, so scripts get theirs back.
    """
    result = subprocess.run(
        ["go", "mod", "download", "-json", f"{path}@{version}"],
        cwd=stage, env=GO, stdout=subprocess.PIPE, text=True,
    )
    answer = json.loads(result.stdout or "{}")
    if result.returncode != 0 or "Dir" not in answer:
        sys.exit(f"go mod download {path}@{version}: {answer.get('Error', 'failed')}")
    shutil.copytree(answer["Dir"], target, copy_function=shutil.copyfile)
    for script in target.rglob("*.sh"):
        script.chmod(0o755)
    return target


def edit(file, old, new):
    """Replaces one known place in a file of a module, or says that it has moved."""
    text = file.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file}: expected once, found {text.count(old)} times: {old.strip()}")
    file.write_text(text.replace(old, new))


def place_rules_go(stage, version):
    """rules_go asks for a list of SDKs, to add hashes to a default that MODULE.bazel replaces."""
    rules_go = place(stage, "github.com/bazelbuild/rules_go", version, stage / "rules_go")
    head = "def fetch_sdks_by_version(ctx, allow_fail = False):\n"
    edit(rules_go / "go/private/sdk.bzl", head, head + "    if allow_fail:\n        return None\n")


def place_gazelle(stage, version):
    """gazelle is two Go modules, the second nested in the first and left out of its zip."""
    gazelle = place(stage, "github.com/bazelbuild/bazel-gazelle", version, stage / "gazelle")
    nested = re.search(r"(github\.com/bazel-contrib/bazel-gazelle/v2) (\S+)", (gazelle / "go.mod").read_text())
    if nested and not (gazelle / "v2").exists():
        place(stage, nested[1], nested[2], gazelle / "v2")
    # gazelle checks the list of its own sources, which names files that no zip has.
    subprocess.run(
        ["go", "run", "./internal/list_repository_tools_srcs.go", "-dir=.",
         "-generate=internal/go_repository_tools_srcs.bzl"],
        cwd=gazelle, env=GO, check=True,
    )


def place_features(stage, share):
    """Debian's bazel_features lacks a rule feature that rules_go asks for."""
    target = stage / "bazel_features"
    shutil.copytree(share / "tools/features", target)
    head = "_rules = struct(\n"
    name = "instrumented_files_info_has_baseline_coverage_files"
    edit(target / "features.bzl", head, f'{head}    {name} = ge("9.0.0-pre.20250101.1"),\n')


def main(workspace, distribution, final, stage):
    workspace, stage = pathlib.Path(workspace), pathlib.Path(stage)
    share = pathlib.Path(distribution) / "root/usr/share/bazel"
    module_file = workspace / "MODULE.bazel"

    place_rules_go(stage, wanted_version(module_file, "rules_go"))
    place_gazelle(stage, wanted_version(module_file, "gazelle"))
    place_features(stage, share)
    stubs = workspace / "tools/bazel/stubs"
    for stub in sorted(p for p in stubs.iterdir() if p.is_dir()):
        shutil.copytree(stub, stage / stub.name)

    placed = sorted(p.name for p in stage.iterdir() if (p / "MODULE.bazel").exists())
    overrides = {name: share / directory for name, directory in PACKAGED.items()}
    overrides |= {name: pathlib.Path(final) / name for name in placed}
    lines = [f"common --override_module={name}={path}" for name, path in sorted(overrides.items())]
    (stage / "modules.bazelrc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
