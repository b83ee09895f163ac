"""Coded errors for the fetch scripts of this folder.

A fetch script that cannot do its work prints one line in the form of the
other tools of this repository, `CODE: where: what; what to do`, and exits 1.
The repository rule shows that line as it is. Codes are stable:

FETCH_PIP_MISSING      python3 has no pip, and none could be unpacked
FETCH_PIP_UNSUPPORTED  pip's own lookup code is not the one we know
FETCH_NOT_FOUND        the index does not have that name, version or file
FETCH_OFFLINE          no index or mirror answered
FETCH_HASH_MISMATCH    the file is not the one that was pinned
FETCH_MEMBER_MISSING   an archive lacks a file that was asked for
FETCH_BAD_ARCHIVE      an archive cannot be read
FETCH_CARGO_MISSING    no cargo, and none could be unpacked
FETCH_MAVEN_MISSING    no mvn
FETCH_NPM_MISSING      no npm
FETCH_APT_MISSING      not a host with apt and dpkg
FETCH_PYTHON_VERSION   wheels are pinned for another Python than this one
FETCH_BAD_LOCK         a line of a lock file is not a pin
FETCH_MIRROR           a template of SKAINET_MIRRORS names no file
"""

import hashlib
import os
import sys


class FetchError(Exception):
    """A fault with a stable code."""

    def __init__(self, code, where, what, do=""):
        super().__init__(what)
        self.code, self.where, self.what, self.do = code, where, what, do

    def __str__(self):
        text = "%s: %s: %s" % (self.code, self.where, self.what)
        return text + "; " + self.do if self.do else text


def sha256_of(path):
    """Gives the sha256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def check_sha256(path, want, where):
    """Raises unless the file at path has the sha256 `want`."""
    got = sha256_of(path)
    if got != want:
        raise FetchError(
            "FETCH_HASH_MISMATCH", where,
            "sha256 is %s, want %s" % (got, want),
            "the served file is not the pinned one: do not use it; check the pin and the index")


def run(main):
    """Runs main, turning a FetchError into one line on stderr and exit 1."""
    try:
        main()
    except FetchError as e:
        print(e, file=sys.stderr)
        sys.exit(1)


def tail(text, lines=6):
    """The last lines of a tool's output, on one line."""
    kept = [l.strip() for l in text.splitlines() if l.strip()]
    return " | ".join(kept[-lines:])


def clean_env(**extra):
    """The environment without what would change another Python's imports."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONPATH")}
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    env.update(extra)
    return env
