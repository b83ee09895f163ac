"""Fetches the wheels of a lock file and lays them out as one folder to import from.

    pip_packages.py --lock LOCK --python 3.11 --platform "linux x86_64" --out DIR

LOCK is a requirements file of pip that names every package that is needed,
`name==version --hash=sha256:...`, one hash each. One `pip download` fetches
them, with hashes required, wheels only and nothing but what is listed. Wheels
are unpacked, not installed: nothing of them is run, and no command is made.
DIR/site has the modules of all, and DIR/python.sh runs this Python with them
and with no other package of the host.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

import pip_fetch
import report
from report import FetchError

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$")

_RUN = """\
#!/bin/sh
# Runs Python with the packages that lie beside this script, and no others (-S).
here=$(dirname "$(readlink -f "$0")")
PYTHONPATH="$here/site" PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1 exec %s -S "$@"
"""


def check_python(want, platform, lock):
    """Raises unless this Python is the one whose wheels are pinned."""
    got = "%d.%d" % sys.version_info[:2]
    here = sysconfig.get_platform().replace("-", " ", 1)
    if (got, here) != (want, platform):
        raise FetchError(
            "FETCH_PYTHON_VERSION", sys.executable,
            "this is Python %s on %s; %s pins wheels for Python %s on %s" % (got, here, os.path.basename(lock), want, platform),
            "set SKAINET_PYTHON to a Python %s on such a host" % want)


def read_lock(path):
    """Gives {sha256: package==version} of the lock file."""
    pins = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            line = line.split(" #")[0].strip()
            if not line or line.startswith("#"):
                continue
            found = _PIN.match(line)
            if not found:
                raise FetchError("FETCH_BAD_LOCK", "%s:%d" % (os.path.basename(path), number), "%r is not a pin" % line,
                                 "write name==version --hash=sha256:HEX")
            pins[found.group(3)] = "%s==%s" % found.group(1, 2)
    return pins


def download(lock, out, pythonpath):
    """Fetches the wheels of the lock file into out."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes",
               "--only-binary=:all:", "-r", lock, "-d", out, "--no-input"]
    env = report.clean_env(**({"PYTHONPATH": pythonpath} if pythonpath else {}))
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        text = done.stdout + done.stderr
        if "DO NOT MATCH THE HASHES" in text:
            what = re.search(r"^\s*(\S+==\S+)[^\n]*:\n\s+Expected sha256 (\w+)\n\s+Got\s+(\w+)", text, re.M)
            raise FetchError(
                "FETCH_HASH_MISMATCH", what.group(1) if what else os.path.basename(lock),
                "sha256 is %s, want %s" % (what.group(3), what.group(2)) if what else report.tail(text),
                "the served file is not the pinned one: do not use it; check the pin and the index")
        raise pip_fetch.lookup_error(os.path.basename(lock), text)


def place(name):
    """Gives where a member of a wheel belongs in the site folder; None for nowhere."""
    first, _, rest = name.partition("/")
    if first.endswith(".data"):  # scripts and headers are of no use here
        kind, _, rest = rest.partition("/")
        name = rest if kind in ("purelib", "platlib") else ""
    parts = name.split("/")
    if not name or name.endswith("/") or "__pycache__" in parts:
        return None
    if name.startswith("/") or "\\" in name or ".." in parts:
        raise ValueError(name)
    return name


def unpack(wheel, site):
    """Unpacks a wheel; no two wheels may hold the same file."""
    where = os.path.basename(wheel)
    try:
        with zipfile.ZipFile(wheel) as z:
            for member in z.infolist():
                name = place(member.filename)
                if not name:
                    continue
                path = os.path.join(site, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with z.open(member) as source, open(path, "xb") as f:
                    shutil.copyfileobj(source, f)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as e:
        raise FetchError("FETCH_BAD_ARCHIVE", where, "%s: %s" % (type(e).__name__, e), "check the pin")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("lock", "python", "platform", "out"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    check_python(args.python, args.platform, args.lock)
    pins = read_lock(args.lock)
    os.makedirs(args.out, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix=".fetch-") as work:
        wheels, site = os.path.join(work, "wheels"), os.path.join(work, "site")
        os.mkdir(wheels)
        os.mkdir(site)
        download(os.path.abspath(args.lock), wheels, pip_fetch.find_pip())
        got = {report.sha256_of(p): p for p in sorted(glob.glob(os.path.join(wheels, "*.whl")))}
        if set(got) != set(pins):
            missing = sorted(pins[h] for h in set(pins) - set(got))
            raise FetchError("FETCH_NOT_FOUND", os.path.basename(args.lock), "pip gave no pinned file for %s" % ", ".join(missing),
                             "check the lock file and the index")
        for wheel in got.values():
            unpack(wheel, site)
        run = os.path.join(work, "python.sh")
        with open(run, "w") as f:
            f.write(_RUN % ("'" + sys.executable.replace("'", "'\\''") + "'"))
        os.chmod(run, 0o755)
        shutil.move(site, os.path.join(args.out, "site"))
        shutil.move(run, os.path.join(args.out, "python.sh"))


if __name__ == "__main__":
    report.run(main)
