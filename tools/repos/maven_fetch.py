"""Fetches one file of a Maven artifact by group, artifact and version, for download.py.

The host's own mvn does it, with its settings, mirrors, proxies and credentials;
no repository is named here. Nothing of the artifact is run, and its dependencies
are not looked at.
"""

import os
import re
import shutil
import subprocess
import tempfile

import report
from report import FetchError

# The plugin that copies an artifact to a folder.
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"


def fetch(args, work):
    """Puts the file that args names into work; args.package is group:artifact."""
    where = "%s:%s" % (args.package, args.version)
    mvn = shutil.which("mvn")
    if not mvn:
        raise FetchError("FETCH_MAVEN_MISSING", where, "no mvn on PATH",
                         "install Maven 3.6 or newer, or name a mirror that has %s in SKAINET_MIRRORS" % args.filename)
    kind = os.path.splitext(args.filename)[1].lstrip(".")
    with tempfile.TemporaryDirectory(prefix="maven.") as project:
        done = subprocess.run(
            [mvn, "-q", "-B", "-Dstyle.color=never", _COPY, "-Dartifact=%s:%s" % (where, kind), "-DoutputDirectory=" + os.path.join(project, "out"),
             "-Dmdep.useBaseVersion=true"],
            cwd=project, capture_output=True, text=True, env=report.clean_env())
        if done.returncode:
            raise failure(where, done.stdout + done.stderr)
        got = os.path.join(project, "out", args.filename)
        if not os.path.exists(got):
            raise FetchError("FETCH_NOT_FOUND", where, "Maven gave no %s" % args.filename, "check the file name in the pin")
        shutil.move(got, os.path.join(work, args.filename))


def failure(where, text):
    """Classifies what mvn said."""
    errors = "\n".join(l for l in text.splitlines() if "ERROR" in l) or text
    what = "mvn: " + report.tail("\n".join(errors.splitlines()[:1]), 1)
    if re.search(r"Could not find artifact|was not found in", text):
        return FetchError("FETCH_NOT_FOUND", where, what, "check the pin and the repositories in Maven's settings")
    return FetchError("FETCH_OFFLINE", where, what, "check the network and Maven's settings, then build again")
