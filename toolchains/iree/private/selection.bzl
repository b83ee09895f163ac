"""The decisions of the `iree` extension, as pure functions: no repository, no network.

A platform key is `<os>_<cpu>` with the names of @platforms, such as
`linux_x86_64`. The table is versions.json: a version, then an artifact per
platform for the compiler and for the runtime.
"""

# CPU names in Bazel's repository context.
_CPUS = {
    "aarch64": "aarch64",
    "amd64": "x86_64",
    "arm64": "aarch64",
    "x86_64": "x86_64",
}

def host_platform(os_name, arch):
    """Returns the platform key of a host.

    Args:
      os_name: repository_ctx.os.name, such as "linux", "mac os x", "windows 11".
      arch: repository_ctx.os.arch, such as "amd64" or "aarch64".

    Returns:
      The key, or None for a system that no table can name.
    """
    os_name = os_name.lower()
    if os_name.startswith("linux"):
        os = "linux"
    elif os_name.startswith("mac"):
        os = "macos"
    elif os_name.startswith("windows"):
        os = "windows"
    else:
        return None
    cpu = _CPUS.get(arch.lower())
    return "%s_%s" % (os, cpu) if cpu else None

def platform_constraints(platform):
    """Returns the constraint labels of a platform key."""
    os, _, cpu = platform.partition("_")
    return ["@platforms//os:" + os, "@platforms//cpu:" + cpu]

def choose_version(table, requests, brought = []):
    """Returns the one IREE version of the build.

    The root module decides; otherwise the highest version that a module
    asked for, of which there is one at least: the one that this module is made for.

    Args:
      table: the decoded versions.json.
      requests: structs with module (name), is_root and version, in any order.
      brought: versions that the root module provides artifacts for; None in it
        stands for any version, as with local tools.

    Returns:
      A struct with version and error; one of the two is None.
    """
    wanted = None
    for r in requests:
        if r.is_root:
            if wanted and wanted.is_root and wanted.version != r.version:
                return _error("IREE_VERSION_CONFLICT: %s: requests both %s and %s; keep one iree.toolchain tag" %
                              (r.module, wanted.version, r.version))
            wanted = r
        elif not wanted or (not wanted.is_root and _parts(r.version) > _parts(wanted.version)):
            wanted = r
    version = wanted.version
    if version not in table["versions"] and version not in brought and None not in brought:
        return _error("IREE_VERSION_UNKNOWN: %s: IREE %s is not in versions.json; it has %s; the root module can bring others by iree.archive" % (
            wanted.module,
            version,
            ", ".join(sorted(table["versions"])),
        ))
    return struct(version = version, error = None)

def artifacts(table, version):
    """Lists the wheels of a version, each with the repository that would fetch it.

    Returns:
      Structs with repo, kind ("compiler" or "runtime"), platform, package,
      filename and sha256, and what the root module's tags add: file, urls,
      netrc, auth_patterns, local (a path); sorted by repo.
    """
    found = []
    for kind in ["compiler", "runtime"]:
        for platform, row in table["versions"][version][kind].items():
            found.append(struct(
                repo = "iree_%s_%s" % (kind, platform),
                kind = kind,
                platform = platform,
                package = row["package"],
                filename = row["filename"],
                sha256 = row["sha256"],
                file = row.get("file"),
                urls = row.get("urls") or [],
                netrc = row.get("netrc", ""),
                auth_patterns = row.get("auth_patterns", {}),
                local = row.get("local"),
            ))
    return sorted(found, key = lambda a: a.repo)

def artifact_for(table, version, kind, platform):
    """Returns the artifact of a platform, or None."""
    for a in artifacts(table, version):
        if a.kind == kind and a.platform == platform:
            return a
    return None

# Hosts under Bazel's names, for the report; the last have no wheels.
_HOSTS = [
    ("linux", "amd64"),
    ("linux", "aarch64"),
    ("mac os x", "aarch64"),
    ("windows 11", "amd64"),
    ("linux", "riscv64"),
    ("mac os x", "x86_64"),
    ("freebsd", "amd64"),
]

def report(table, version):
    """Returns which artifacts each host gets, a line per host and kind."""
    lines = []
    for os_name, arch in _HOSTS:
        platform = host_platform(os_name, arch)
        for kind in ["compiler", "runtime"]:
            a = artifact_for(table, version, kind, platform)
            found = "none" if not a else a.filename if a.local else "%s sha256:%s" % (a.filename, a.sha256)
            lines.append("%s %s: %s: %s" % (os_name, arch, kind, found))
    return "\n".join(lines) + "\n"

def _error(message):
    return struct(version = None, error = message)

def _parts(version):
    """Returns a sort key that orders 3.9.0 before 3.13.0."""
    return [int(p) if p.isdigit() else 0 for p in version.split(".")]
