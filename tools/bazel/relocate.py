"""Makes an unpacked Debian Bazel run from a directory of its own.

    relocate.py STAGE FINAL

STAGE/root holds the unpacked packages; all paths written are those below FINAL,
where STAGE is renamed to afterwards. The packages are built for a newer C library
and Java than the host's, so each executable gets the loader and the libraries that
came with it; nothing here uses the host's.
"""

import os
import pathlib
import platform
import subprocess
import sys
import zipfile

# Debian's architecture triple and the name of its loader, by machine.
MACHINES = {
    "x86_64": ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "aarch64": ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}


class Tree:
    """The unpacked tree: where things are now and where they will be."""

    def __init__(self, stage, final):
        self.now = pathlib.Path(stage).resolve() / "root"
        self.then = pathlib.Path(final).absolute() / "root"
        triple, loader = MACHINES[platform.machine()]
        self.loader = f"usr/lib/{triple}/{loader}"
        self.libraries = f"usr/lib/{triple}"
        self.helpers = f"usr/libexec/{triple}/bazel"
        self.share = "usr/share/bazel"
        [java] = [j for j in self.now.glob("usr/lib/jvm/*/bin/java") if not j.parents[1].is_symlink()]
        self.jdk = str(java.parents[1].relative_to(self.now))


def make_links_relative(tree):
    """Absolute links into the tree would point at the host's files."""
    for path in tree.now.rglob("*"):
        if not path.is_symlink():
            continue
        target = os.readlink(path)
        if target.startswith("/") and os.path.lexists(tree.now / target[1:]):
            relative = os.path.relpath(tree.now / target[1:], path.parent)
            path.unlink()
            path.symlink_to(relative)


def patch_executables(tree):
    """Gives each executable the tree's loader and library path.

    patchelf comes with the tree too and is run through the tree's loader.
    """
    patchelf = [tree.now / tree.loader, "--library-path", tree.now / tree.libraries, tree.now / "usr/bin/patchelf"]
    search = ":".join(str(tree.then / d) for d in (tree.libraries, f"{tree.jdk}/lib", f"{tree.jdk}/lib/server"))
    candidates = [tree.now / "usr/bin/bazel", *sorted((tree.now / tree.helpers).iterdir())]
    candidates += [tree.now / tree.jdk / "bin/java", tree.now / tree.jdk / "lib/jspawnhelper"]
    for path in candidates:
        if path.is_symlink() or path.read_bytes()[:4] != b"\x7fELF":
            continue
        subprocess.run(
            [*patchelf, "--set-interpreter", tree.then / tree.loader, "--force-rpath", "--set-rpath", search, path],
            check=True,
        )


def rewrite_class_path(tree):
    """Lists the server's jars below FINAL, with those that their manifests name.

    The list as packaged has host paths, and the manifests' relative names resolve
    only where all packages are installed.
    """
    listing = tree.now / tree.share / "bazel_classpath_debian_depends.txt"
    queue = [line.strip() for line in listing.read_text().splitlines() if line.strip()]
    jars = []
    while queue:
        name = os.path.normpath(queue.pop(0)).lstrip("/")
        if name in jars or not (tree.now / name).exists():
            continue
        jars.append(name)
        for entry in manifest_class_path(tree.now / name):
            queue.append(entry if entry.startswith("/") else os.path.join(os.path.dirname(name), entry))
    if not jars:
        sys.exit(f"{listing} names no jar that was unpacked")
    listing.write_text("".join(f"{tree.then / name}\n" for name in jars))


def manifest_class_path(jar):
    """The Class-Path entries of a jar's manifest, whose long lines are folded."""
    with zipfile.ZipFile(jar) as archive:
        if "META-INF/MANIFEST.MF" not in archive.namelist():
            return []
        text = archive.read("META-INF/MANIFEST.MF").decode()
    for line in text.replace("\r\n", "\n").replace("\n ", "").split("\n"):
        if line.startswith("Class-Path:"):
            return line.removeprefix("Class-Path:").split()
    return []


def link_zstd(tree):
    """Puts the library of compressed transfers where the server looks for it.

    The client starts the server with this folder as its only java.library.path;
    Debian's jar does not bring the library with it.
    """
    [library] = (tree.now / tree.libraries).glob("libzstd-jni.so.1")
    (tree.now / tree.share / "libzstd-jni.so").symlink_to(os.path.relpath(library, tree.now / tree.share))


def add_version(tree):
    """Debian's server jar carries no version, so rules would take it for a development build."""
    share = tree.now / tree.share
    label = (share / "build-label.txt").read_text().strip()
    with zipfile.ZipFile(share / "A-server.jar", "a", zipfile.ZIP_DEFLATED) as jar:
        jar.writestr("build-data.properties", f"build.label={label}\n")


def write_launcher(tree, stage):
    """STAGE/bazel, to be used as `bazel`."""
    then = tree.then
    launcher = pathlib.Path(stage) / "bazel"
    launcher.write_text(
        "#!/bin/sh\n"
        f'exec "{then}/usr/bin/bazel" --nosystem_rc --install_base="{then / tree.share}"'
        f' --trust_install_base --server_javabase="{then / tree.jdk}" "$@"\n'
    )
    launcher.chmod(0o755)


def write_go(tree, stage):
    """STAGE/go/go, where the Go of the packages is unpacked too, to be used as `go`."""
    for binary in sorted(tree.now.glob("usr/lib/go-*/bin/go")):
        root = tree.then / binary.parents[1].relative_to(tree.now)
        command = f'exec "{root}/bin/go" "$@"\n'
        if b"/" + pathlib.Path(tree.loader).name.encode() in binary.read_bytes():  # it is linked with libraries
            command = f'exec "{tree.then / tree.loader}" --library-path "{tree.then / tree.libraries}" "{root}/bin/go" "$@"\n'
        launcher = pathlib.Path(stage) / "go/go"
        launcher.parent.mkdir(exist_ok=True)
        launcher.write_text(f'#!/bin/sh\nexport GOROOT="{root}"\n' + command)
        launcher.chmod(0o755)


def main(stage, final):
    tree = Tree(stage, final)
    make_links_relative(tree)
    patch_executables(tree)
    rewrite_class_path(tree)
    link_zstd(tree)
    add_version(tree)
    write_launcher(tree, stage)
    write_go(tree, stage)


if __name__ == "__main__":
    main(*sys.argv[1:])
