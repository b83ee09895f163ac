"""Fetches one Rust crate by name and version, for download.py. Nothing of it is built.

The host's own cargo does it, with its registry, mirrors, proxies and
credentials; no registry is named here. A host without cargo that has apt gets
a distribution's cargo (Debian trixie's from the same mirror, else that of the
host's own suite) unpacked beside the work.
"""

import glob
import os
import re
import shutil
import subprocess
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
    """Puts the .crate file that args names into work, as cargo keeps it."""
    where = "%s %s" % (args.package, args.version)
    with tempfile.TemporaryDirectory(prefix="crate.") as project:
        with open(os.path.join(project, "Cargo.toml"), "w") as f:
            f.write(_CARGO_TOML % (args.package, args.version))
        open(os.path.join(project, "lib.rs"), "w").close()
        home = own_home(project)
        # `cargo fetch` would need a rustc, which a borrowed cargo does not have.
        done = subprocess.run(find_cargo(project) + ["vendor", "--quiet", "vendor"], cwd=project, capture_output=True,
                              text=True, env=report.clean_env(CARGO_HOME=home))
        if done.returncode:
            raise failure(where, done.stdout + done.stderr)
        found = glob.glob(os.path.join(home, "registry/cache/*", args.filename))
        if not found:
            raise FetchError("FETCH_NOT_FOUND", where, "cargo fetched no %s" % args.filename,
                             "check the pin and the registry set in cargo's config")
        shutil.move(found[0], os.path.join(work, args.filename))


def own_home(project):
    """Makes a home of cargo in which its files are its own, and the settings the user's."""
    home, users = os.path.join(project, "home"), os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")
    os.mkdir(home)
    for name in ("config.toml", "config", "credentials.toml", "credentials"):
        path = os.path.join(os.path.abspath(users), name)
        if os.path.exists(path):
            os.symlink(path, os.path.join(home, name))
    return home


def failure(where, text):
    """Classifies what cargo said."""
    if "checksum" in text and "changed" in text:
        code, do = "FETCH_HASH_MISMATCH", "the served crate is not what its registry declares: do not use it"
    elif re.search(r"no matching package|failed to select a version", text):
        code, do = "FETCH_NOT_FOUND", "check the pin and the registry set in cargo's config"
    else:
        code, do = "FETCH_OFFLINE", "check the network and cargo's config, then build again"
    return FetchError(code, where, "cargo: " + report.tail(text, 3), do)
