"""Unpacks one Rust crate by name, version and sha256. Nothing of it is built.

    crate_fetch.py --crate C --version V --sha256 H --out DIR

The host's own cargo does it, with its registry, mirrors, proxies and
credentials; no registry is named here. A host without cargo that has apt gets
a distribution's cargo (Debian trixie's from the same mirror, else that of the
host's own suite) unpacked beside the work. DIR/C exists only when the sha256 that
cargo locked, and checked the bytes against, is the pinned one.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import report
from report import FetchError

# The oldest cargo that asks a sparse index, not a git clone of a whole one.
_MIN_CARGO = (1, 70)
# Suites whose cargo is new enough, tried in turn; None is the host's own.
_SUITES = ("trixie", None)
_CARGO_TOML = """\
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
%s = { version = "=%s", default-features = false }
"""


def cargo_version(command):
    """Gives a cargo's version, or None if it does not run."""
    try:
        done = subprocess.run(command + ["--version"], capture_output=True, text=True)
    except OSError:
        return None
    found = re.match(r"cargo (\d+)\.(\d+)", done.stdout)
    return tuple(map(int, found.groups())) if found else None


def find_cargo(work):
    """Gives the command line of a cargo that is new enough."""
    host = shutil.which("cargo")
    version = cargo_version([host]) if host else None
    if version and version >= _MIN_CARGO:
        return [host]
    reason = "cargo %s is too old" % ".".join(map(str, version)) if version else "no cargo on PATH"
    try:
        import apt_fetch
        for suite in _SUITES:
            out = os.path.join(work, "cargo-" + (suite or "host"))
            try:
                apt_fetch.fetch(["cargo"], None, out, closure=True, suite=suite,
                                skip=r"^(rustc|libstd-rust|libllvm|gcc|cpp|g\+\+|binutils|libbinutils|libc6-dev|libc-dev|"
                                     r"libcrypt-dev|linux-libc|libgcc-\d+-dev|lib(a|l|t|hw|ub)san|libgprofng|libctf|libcc1|libisl|"
                                     r"libmpfr|libmpc|libgomp|libitm|libquadmath|libsframe|rpcsvc|perl|python|libpython)")
            except FetchError as e:
                if e.code == "FETCH_APT_MISSING":
                    raise
                continue
            command = unpacked_command(os.path.join(out, "root"))
            version = command and cargo_version(command)
            if version and version >= _MIN_CARGO:
                return command
    except FetchError as e:
        reason += "; " + e.what
    raise FetchError("FETCH_CARGO_MISSING", "cargo", reason,
                     "install cargo %d.%d or newer" % _MIN_CARGO)


def unpacked_command(root):
    """Runs an unpacked cargo with the loader and libraries it was built for."""
    binary = os.path.join(root, "usr/bin/cargo")
    loaders = glob.glob(root + "/usr/lib/*/ld-linux-*.so.*") + glob.glob(root + "/lib/*/ld-linux-*.so.*")
    if not loaders or not os.path.exists(binary):
        return None
    libs = sorted({os.path.dirname(p) for p in glob.glob(root + "/usr/lib/*/*.so*") + glob.glob(root + "/lib/*/*.so*")})
    return [loaders[0], "--library-path", ":".join(libs), binary]


def fetch(args, work):
    """Lets cargo lock and unpack the crate; checks what it locked."""
    where = "%s %s" % (args.crate, args.version)
    project = os.path.join(work, "project")
    os.makedirs(project)
    with open(os.path.join(project, "Cargo.toml"), "w") as f:
        f.write(_CARGO_TOML % (args.crate, args.version))
    open(os.path.join(project, "lib.rs"), "w").close()
    done = subprocess.run(find_cargo(work) + ["vendor", "--quiet", "vendor"], cwd=project,
                          capture_output=True, text=True, env=report.clean_env())
    if done.returncode:
        text = done.stdout + done.stderr
        if "checksum" in text and "changed" in text:
            code, do = "FETCH_HASH_MISMATCH", "the served crate is not what its registry declares: do not use it"
        elif re.search(r"no matching package|failed to select a version", text):
            code, do = "FETCH_NOT_FOUND", "check the pin and the registry set in cargo's config"
        else:
            code, do = "FETCH_OFFLINE", "check the network and cargo's config, then build again"
        raise FetchError(code, where, "cargo: " + report.tail(text, 3), do)
    with open(os.path.join(project, "Cargo.lock")) as f:
        locked = dict(re.findall(r'name = "([^"]+)"\nversion = "[^"]+"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"', f.read()))
    if locked.get(args.crate) != args.sha256:
        raise FetchError("FETCH_HASH_MISMATCH", where,
                         "sha256 is %s, want %s" % (locked.get(args.crate, "unknown"), args.sha256),
                         "the served crate is not the pinned one: do not use it; check the pin and the registry")
    return os.path.join(project, "vendor", args.crate)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("crate", "version", "sha256", "out"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    args.out = os.path.abspath(args.out)
    os.makedirs(args.out, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix=".fetch-") as work:
        shutil.move(fetch(args, work), os.path.join(args.out, args.crate))


if __name__ == "__main__":
    report.run(main)
