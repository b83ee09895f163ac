"""download: the one way in which a pinned file gets into a repository.

Mirrors, registries and the check of the sha256 are those of download.py.
"""

load(":python.bzl", "fetch_attrs", "run_script", "try_script")

# What download.py imports.
DOWNLOAD_SCRIPTS = ["download.py", "pip_fetch.py", "crate_fetch.py", "maven_fetch.py", "npm_fetch.py", "apt_fetch.py", "report.py"]

def download_attrs(scripts = []):
    """Gives the attributes that a repository rule needs to call download.

    Args:
      scripts: other scripts of //tools/repos that it runs.

    Returns:
      A dict.
    """
    return fetch_attrs(DOWNLOAD_SCRIPTS + [s for s in scripts if s not in DOWNLOAD_SCRIPTS])

def _arguments(pin, out):
    arguments = ["--out", out]
    for name in ["registry", "package", "version", "filename", "sha256"]:
        arguments += ["--" + name, getattr(pin, name)]
    return arguments

def pin(registry, package, version, filename, sha256):
    """Names a file of a registry.

    Args:
      registry: "pypi", "crates", "maven" or "npm".
      package: the package's name; of Maven `group:artifact`.
      version: its version.
      filename: the file's name.
      sha256: its sha256.

    Returns:
      A struct for download.
    """
    return struct(registry = registry, package = package, version = version, filename = filename, sha256 = sha256)

def download(rctx, pin, out = "."):
    """Puts a pinned file into the repository, or fails with a coded line.

    Args:
      rctx: the context of a rule with download_attrs.
      pin: the file.
      out: the folder that it goes into.
    """
    run_script(rctx, "download.py", _arguments(pin, out))

def try_download(rctx, pin, out = "."):
    """Does as download, and returns the coded line of a failure, or None."""
    return try_script(rctx, "download.py", _arguments(pin, out))
