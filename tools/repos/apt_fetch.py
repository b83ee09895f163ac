"""Unpacks Debian packages into a folder, without root and without installing.

    apt_fetch.py --out DIR [--arch ARCH] [--suite SUITE] [--closure] [--skip REGEX] [--keep REGEX] PACKAGE...

The host's own apt does it, with its sources, keys and proxies; the package
lists and the state live in DIR/.apt while it works, so the host is not
changed and a host without lists will do. apt checks the signatures. With
--closure the packages that these depend on come too, less those whose name
matches --skip. DIR/root is the unpacked tree, less the paths that --keep does
not match; DIR/packages.txt names the packages.
"""

import argparse
import os
import re
import shutil
import subprocess

import report
from report import FetchError


class Apt:
    """apt-get on a private state."""

    def __init__(self, state, arch, suite=None):
        for tool in ("apt-get", "dpkg"):
            if not shutil.which(tool):
                raise FetchError("FETCH_APT_MISSING", tool, "not on this host's PATH",
                                 "only a Debian-like host can provide these packages")
        os.makedirs(os.path.join(state, "lists/partial"), exist_ok=True)
        os.makedirs(os.path.join(state, "archives/partial"), exist_ok=True)
        open(os.path.join(state, "status"), "w").close()
        native = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
        self.options = [
            "-q", "-oDir::State=" + state, "-oDir::State::lists=" + state + "/lists",
            "-oDir::State::status=" + state + "/status", "-oDir::Cache=" + state,
            "-oDir::Cache::archives=" + state + "/archives",
            "-oAPT::Sandbox::User=", "-oDebug::NoLocking=1", "-oAcquire::Languages=none",
            "-oAPT::Install-Recommends=0", "-oAPT::Update::Post-Invoke-Success=",
            "-oAPT::Architecture=" + (arch or native), "-oAPT::Architectures=" + (arch or native)]

        if suite:
            self.options += ["-oDir::Etc::SourceParts=/dev/null",
                             "-oDir::Etc::SourceList=" + self.other_suite(state, suite)]

    def other_suite(self, state, suite):
        """Writes a source list for another suite of the mirror that the host uses."""
        self("update")  # apt names no target before it has seen a release file
        sites = self("indextargets", "--format", "$(SITE)", "Created-By: Packages", "Component: main")
        site = re.search(r"^(\S+/debian/?)$", sites.stdout, re.M)
        if not site:
            raise FetchError("FETCH_NOT_FOUND", suite, "no Debian mirror is set up on this host",
                             "only a Debian host can provide this suite")
        path = os.path.join(state, "sources.list")
        with open(path, "w") as f:
            f.write("deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n" % (
                site.group(1), suite))
        return path

    def __call__(self, *words, cwd=None):
        return subprocess.run(["apt-get"] + self.options + list(words), capture_output=True, text=True,
                              cwd=cwd, env=report.clean_env(LC_ALL="C", DEBIAN_FRONTEND="noninteractive"))


def resolve(apt, packages, skip):
    """Gives the packages and what they depend on, as apt would choose on an empty system."""
    plan = apt("-s", "install", *packages)
    names = re.findall(r"^Inst (\S+)", plan.stdout, re.M)
    if plan.returncode or not names:
        raise FetchError("FETCH_NOT_FOUND", " ".join(packages),
                         "apt cannot resolve them: " + report.tail(plan.stdout + plan.stderr, 3),
                         "check `apt-get update` and the host's sources")
    return [n for n in names if not (skip and re.search(skip, n))]


def fetch(packages, arch, out, closure, skip=None, suite=None, keep=None):
    """Unpacks packages below out/root; suite is another suite of the host's mirror."""
    state = os.path.join(os.path.abspath(out), ".apt")
    root = os.path.join(os.path.abspath(out), "root")
    apt = Apt(state, arch, suite)
    try:
        update = apt("update")
        if closure:
            packages = resolve(apt, packages, skip)
        got = apt("download", *packages, cwd=os.path.join(state, "archives"))
        debs = sorted(n for n in os.listdir(os.path.join(state, "archives")) if n.endswith(".deb"))
        if got.returncode or len(debs) != len(set(packages)):
            text = update.stdout + update.stderr + got.stderr
            offline = re.search(r"Temporary failure|Could not resolve|Could not connect|Unable to connect", text)
            raise FetchError("FETCH_OFFLINE" if offline else "FETCH_NOT_FOUND", " ".join(packages),
                             "apt did not give them: " + report.tail(text, 3),
                             "check `apt-get update` and the host's sources")
        for deb in debs:
            done = subprocess.run(["dpkg", "-x", os.path.join(state, "archives", deb), root],
                                  capture_output=True, text=True)
            if done.returncode:
                raise FetchError("FETCH_BAD_ARCHIVE", deb, report.tail(done.stderr), "fetch again")
        if keep:
            prune(root, keep)
        relink(root)
        with open(os.path.join(out, "packages.txt"), "w") as f:
            f.writelines(d + "\n" for d in debs)
    except FetchError:
        shutil.rmtree(root, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(state, ignore_errors=True)


def prune(root, keep):
    """Removes the files whose path below root does not match keep, and empty folders."""
    for folder, dirs, files in os.walk(root, topdown=False):
        for name in files + [d for d in dirs if os.path.islink(os.path.join(folder, d))]:
            path = os.path.join(folder, name)
            if not re.search(keep, os.path.relpath(path, root)):
                os.unlink(path)
        if folder != root and not os.listdir(folder):
            os.rmdir(folder)


def relink(root):
    """Makes absolute symbolic links relative to the tree; drops those that lead out of it."""
    for folder, dirs, files in os.walk(root):
        for name in dirs + files:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                continue
            target = os.readlink(path)
            if target.startswith("/"):
                os.unlink(path)
                os.symlink(os.path.relpath(root + target, folder), path)
            if not os.path.exists(path):
                os.unlink(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--arch")
    parser.add_argument("--suite", help="another suite of the mirror that the host uses")
    parser.add_argument("--closure", action="store_true")
    parser.add_argument("--skip")
    parser.add_argument("--keep")
    parser.add_argument("packages", nargs="+")
    args = parser.parse_args()
    fetch(args.packages, args.arch, args.out, args.closure, args.skip, suite=args.suite, keep=args.keep)


if __name__ == "__main__":
    report.run(main)
