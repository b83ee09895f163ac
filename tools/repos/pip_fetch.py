"""Fetches one file of a Python package by name, version and file name, for download.py.

The host's own pip does it: its index, proxy, certificates and credentials are
used, and no index is named here. A wheel goes through `pip download
--require-hashes`. An sdist must not, since pip would run the package's build
code to learn its metadata: pip's finder gives the link and pip's session the
bytes.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

import report
from report import FetchError

_OFFLINE = re.compile(
    r"Retrying \(|NewConnectionError|ConnectTimeout|ReadTimeout|Max retries|"
    r"Temporary failure in name resolution|Network is unreachable|ProxyError|SSLError|"
    r"from versions: none\)")  # a name that is pinned here has versions where an index answers


def find_pip():
    """Makes pip importable; gives what PYTHONPATH needs for `python -m pip`.

    A Debian host may have python3 without pip: then the distribution's own pip
    wheel is unpacked beside the work, which installs nothing.
    """
    probe = subprocess.run([sys.executable, "-m", "pip", "--version"],
                           capture_output=True, text=True, env=report.clean_env())
    if probe.returncode == 0:
        return None
    try:
        import apt_fetch
        root = tempfile.mkdtemp(prefix="pip.")
        apt_fetch.fetch(["python3-pip-whl"], None, root, closure=False)
        wheel = glob.glob(root + "/root/usr/share/python-wheels/pip-*.whl")[0]
    except (FetchError, IndexError) as e:
        raise FetchError(
            "FETCH_PIP_MISSING", sys.executable, "this Python has no pip (%s)" % report.tail(probe.stderr, 1),
            "install pip for it (python3-pip on Debian); tried the distribution's pip wheel: %s" % e)
    sys.path.insert(0, wheel)
    return wheel


def wheel_tags(filename):
    """Gives pip's options for the tags in a wheel's name."""
    python, abi, platforms = filename[:-len(".whl")].split("-")[-3:]
    options = ["--only-binary=:all:", "--ignore-requires-python"]
    if platforms == "any":
        return options
    version = re.match(r"(cp|py)(\d)(\d*)", python.split(".")[0])
    options += ["--abi", abi.split(".")[0], "--implementation", version.group(1)]
    options += ["--python-version", version.group(2) + ("." + version.group(3) if version.group(3) else "")]
    for platform in platforms.split("."):
        options += ["--platform", platform]
    return options


def fetch_wheel(args, work, pythonpath):
    """Downloads a wheel with pip's documented command line."""
    lock = os.path.join(work, "lock.txt")
    with open(lock, "w") as f:
        f.write("%s==%s --hash=sha256:%s\n" % (args.package, args.version, args.sha256))
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes",
               "-r", lock, "-d", work, "--no-input"] + wheel_tags(args.filename)
    env = report.clean_env(**({"PYTHONPATH": pythonpath} if pythonpath else {}))
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        where = "%s==%s" % (args.package, args.version)
        text = done.stdout + done.stderr
        if "DO NOT MATCH THE HASHES" in text:
            got = re.search(r"Got\s+([0-9a-f]{64})", text)
            raise FetchError(
                "FETCH_HASH_MISMATCH", args.filename,
                "sha256 is %s, want %s" % (got.group(1) if got else "another", args.sha256),
                "the served file is not the pinned one: do not use it; check the pin and the index")
        raise lookup_error(where, text)


def lookup_error(where, text):
    """Classifies what pip said."""
    if _OFFLINE.search(text):
        return FetchError("FETCH_OFFLINE", where, "pip reached no index that knows it: " + report.tail(text, 2),
                          "check the network, `pip config list` and the proxy variables, then build again")
    return FetchError("FETCH_NOT_FOUND", where, "pip did not find it: " + report.tail(text, 2),
                      "check that the index set in `pip config list` serves it")


def fetch_sdist(args, work):
    """Downloads an sdist without running any of its code."""
    where = "%s==%s" % (args.package, args.version)
    try:
        from pip import __version__ as pip_version
        from pip._internal.commands import create_command
        command = create_command("index", isolated=False)
        options, _ = command.parse_args(["versions", args.package, "--no-input"])
        session_of, finder_of = command._build_session, command._build_package_finder
    except (ImportError, AttributeError) as e:
        raise FetchError("FETCH_PIP_UNSUPPORTED", where, "pip has no lookup that this script knows: %s" % e,
                         "use a pip between 21.2 and 26")
    with command.main_context(), session_of(options) as session:
        try:
            finder = finder_of(options, session, ignore_requires_python=True)
            links = [c.link for c in finder.find_all_candidates(args.package)]
        except Exception as e:  # pip's own error classes differ between versions
            raise lookup_error(where, "%s (pip %s)" % (e, pip_version))
        link = next((l for l in links if l.filename == args.filename), None)
        if not links:
            raise lookup_error(where, "(from versions: none)")
        if not link:
            raise FetchError("FETCH_NOT_FOUND", where, "none of %d files is %s" % (len(links), args.filename),
                             "check that the index set in `pip config list` serves it")
        try:
            answer = session.get(link.url.split("#", 1)[0], stream=True, headers={"Accept-Encoding": "identity"})
            answer.raise_for_status()
            with open(os.path.join(work, args.filename), "wb") as f:
                for block in answer.iter_content(1 << 20):
                    f.write(block)
        except Exception as e:
            raise FetchError("FETCH_OFFLINE", args.filename, "the download failed: %s" % e,
                             "check the network and the proxy variables, then build again")


def fetch(args, work):
    """Puts the file that args names into work."""
    pythonpath = find_pip()
    if args.filename.endswith(".whl"):
        fetch_wheel(args, work, pythonpath)
        os.unlink(os.path.join(work, "lock.txt"))
    else:
        fetch_sdist(args, work)
