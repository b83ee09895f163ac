"""download: the one way in which a pinned file gets into a repository.

Bazel's repository cache is asked first, by the sha256, and gets what was fetched, so that a
repository that was made once is made again without a network, `bazel clean --expunge` or
not. Mirrors, registries and the check of the sha256 are those of download.py.
"""

load(":python.bzl", "fetch_attrs", "try_script")

# What download.py imports.
DOWNLOAD_SCRIPTS = ["download.py", "pip_fetch.py", "crate_fetch.py", "maven_fetch.py", "npm_fetch.py", "apt_fetch.py", "report.py"]

# The copy that is made to fill the cache.
_COPY = ".kept-by-bazel"

# What a path may have and an address may not; "%" is the first.
_ESCAPES = {"%": "%25", " ": "%20", "#": "%23", "?": "%3F"}

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
    error = try_download(rctx, pin, out)
    if error:
        fail(error)

def try_download(rctx, pin, out = "."):
    """Does as download, and returns the coded line of a failure, or None."""
    path = out + "/" + pin.filename

    # Without an address this looks only into the cache.
    if rctx.download(url = [], output = path, sha256 = pin.sha256, allow_fail = True).success:
        return None
    error = try_script(rctx, "download.py", _arguments(pin, out))
    if error:
        return error
    _keep(rctx, path, pin.sha256)
    return None

def _keep(rctx, path, sha256):
    """Puts a file into the repository cache, which takes what Bazel itself downloads."""
    url = str(rctx.path(path))
    for character, code in _ESCAPES.items():
        url = url.replace(character, code)

    # A Bazel that is told to download nothing has no entry; the file is there.
    rctx.download(
        url = "file://" + ("" if url.startswith("/") else "/") + url,
        output = _COPY,
        sha256 = sha256,
        allow_fail = True,
    )
    rctx.delete(_COPY)
