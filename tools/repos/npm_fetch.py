"""Fetches the archive of one npm package by name and version, for download.py.

The host's own npm does it, with its registry, proxies and credentials; no
registry is named here. None of the package's scripts is run, and its
dependencies are not looked at.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile

import report
from report import FetchError


def fetch(args, work):
    """Puts the archive that args names into work."""
    where = "%s@%s" % (args.package, args.version)
    npm = shutil.which("npm")
    if not npm:
        raise FetchError("FETCH_NPM_MISSING", where, "no npm on PATH",
                         "install npm 7 or newer, or name a mirror that has %s in SKAINET_MIRRORS" % args.filename)
    with tempfile.TemporaryDirectory(prefix="npm.") as project:
        out = os.path.join(project, "out")
        os.mkdir(out)
        # The caches of npm hold packages twice; this one goes with the folder.
        done = subprocess.run(
            [npm, "pack", where, "--json", "--ignore-scripts", "--pack-destination", out, "--cache", os.path.join(project, "cache")],
            cwd=project, capture_output=True, text=True, env=report.clean_env())
        if done.returncode:
            raise failure(where, done.stdout + done.stderr)
        got = os.path.join(out, args.filename)
        if not os.path.exists(got):
            raise FetchError("FETCH_NOT_FOUND", where, "npm gave %s" % json.dumps(sorted(os.listdir(out))),
                             "check the file name in the pin")
        shutil.move(got, os.path.join(work, args.filename))


def failure(where, text):
    """Classifies what npm said."""
    lines = [l for l in text.splitlines() if re.match(r"npm (ERR!|error)", l)]
    what = "npm: " + report.tail("\n".join(lines[:2]) or text, 2)
    if re.search(r"\b(E404|ETARGET)\b", text):
        return FetchError("FETCH_NOT_FOUND", where, what, "check the pin and the registry in npm's config")
    if "EINTEGRITY" in text:
        return FetchError("FETCH_HASH_MISMATCH", where, what, "the served archive is not what its registry declares: do not use it")
    return FetchError("FETCH_OFFLINE", where, what, "check the network and npm's config, then build again")
