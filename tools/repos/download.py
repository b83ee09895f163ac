"""Fetches one file of a package registry by its sha256: every pinned file comes this way.

    download.py --registry pypi|crates|maven|npm --package P --version V --filename F --sha256 H --out DIR

First the places that SKAINET_MIRRORS lists are asked: templates of addresses, with
spaces between, in which {registry}, {package}, {version}, {filename} and {sha256} are
filled in, such as file:///srv/mirror/{filename} or https://mirror.example.com/{sha256}.
Then the registry, by the host's own client of it (pip, cargo, mvn, npm): its index, mirrors, proxy,
certificates and credentials are used, and no registry is named here. Neither place is
trusted with the bytes: DIR/F exists only when its sha256 is right.
"""

import argparse
import http.client
import os
import shutil
import tempfile
import urllib.request

import crate_fetch
import maven_fetch
import npm_fetch
import pip_fetch
import report
from report import FetchError

# How a registry's file is put into a folder, by the registry's name.
CLIENTS = {"crates": crate_fetch.fetch, "maven": maven_fetch.fetch, "npm": npm_fetch.fetch, "pypi": pip_fetch.fetch}


def mirrors(args):
    """Gives the addresses to ask before the registry."""
    addresses = []
    for template in os.environ.get("SKAINET_MIRRORS", "").split():
        address = template
        for name in ("filename", "package", "registry", "sha256", "version"):
            address = address.replace("{%s}" % name, getattr(args, name))
        if address == template:
            raise FetchError("FETCH_MIRROR", template, "it says nothing of the file: there is no {filename} or {sha256} in it",
                             "correct SKAINET_MIRRORS")
        addresses.append(address)
    return addresses


def from_mirror(args, address, work):
    """Puts the file into work; gives why the mirror does not have it, or None."""
    path = os.path.join(work, args.filename)
    try:
        with urllib.request.urlopen(address, timeout=180) as source, open(path, "wb") as f:
            shutil.copyfileobj(source, f, 1 << 20)
        report.check_sha256(path, args.sha256, args.filename)
    except (OSError, ValueError, http.client.HTTPException, FetchError) as e:
        if os.path.exists(path):
            os.unlink(path)
        return "%s: %s" % (address, getattr(e, "what", e))
    return None


def fetch(args, work):
    """Puts the file into work, from the first place that has it."""
    faults = []
    for address in mirrors(args):
        fault = from_mirror(args, address, work)
        if not fault:
            return
        faults.append(fault)
    try:
        CLIENTS[args.registry](args, work)
    except FetchError as e:
        e.what = "; ".join([e.what] + faults)
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", required=True, choices=sorted(CLIENTS))
    for name in ("package", "version", "filename", "sha256", "out"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    args.out = os.path.abspath(args.out)
    os.makedirs(args.out, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix=".fetch-") as work:
        fetch(args, work)
        got = os.path.join(work, args.filename)
        if not os.path.exists(got):
            raise FetchError("FETCH_NOT_FOUND", args.filename,
                             "the registry gave %s instead" % sorted(os.listdir(work)),
                             "check the file name in the pin")
        report.check_sha256(got, args.sha256, args.filename)
        shutil.move(got, os.path.join(args.out, args.filename))


if __name__ == "__main__":
    report.run(main)
