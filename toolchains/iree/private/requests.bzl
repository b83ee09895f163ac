"""What the root module requests from the `iree` extension besides a version.

Pure functions, as in selection.bzl. Only the root module may provide artifacts,
local tools or a mirror: these tags are ignored in other modules, so that
a dependency cannot change where a build's tools come from.
"""

PLATFORMS = [
    "%s_%s" % (os, cpu)
    for os in ["linux", "macos", "windows"]
    for cpu in ["aarch64", "x86_64"]
]

_PLACEHOLDERS = ["{filename}", "{kind}", "{package}", "{platform}", "{version}"]

def root_requests(modules):
    """Checks the root module's tags and returns them as rows.

    Args:
      modules: those of a module context.

    Returns:
      A struct with error (None if all is well), archives and locals (lists of
      structs with kind, platform and the repository rule's attributes) and mirror
      (a struct with urls, netrc and auth_patterns, or None).
    """
    archives, locals, mirrors = [], [], []
    for m in [m for m in modules if m.is_root]:
        for tag in m.tags.archive:
            fault = _archive_fault(m.name, tag)
            if fault:
                return struct(error = fault)
            archives.append(struct(
                kind = tag.kind,
                platform = tag.platform,
                version = tag.version,
                row = {
                    "auth_patterns": tag.auth_patterns,
                    "file": tag.file,
                    "filename": tag.filename or _last_part(tag.urls[0] if tag.urls else str(tag.file)),
                    "netrc": tag.netrc,
                    "package": tag.package,
                    "sha256": tag.sha256,
                    "urls": tag.urls,
                },
            ))
        for tag in m.tags.local:
            if tag.platform not in PLATFORMS:
                return struct(error = _no_platform(m.name, "local", tag.platform))
            locals += [
                struct(kind = kind, platform = tag.platform, path = tag.path)
                for kind in tag.kinds
            ]
        for tag in m.tags.mirror:
            fault = _mirror_fault(m.name, tag)
            if fault:
                return struct(error = fault)
            mirrors.append(struct(urls = tag.urls, netrc = tag.netrc, auth_patterns = tag.auth_patterns))
        if len(mirrors) > 1:
            return struct(error = "IREE_MIRROR: %s: there are %d iree.mirror tags; put all urls in one" % (m.name, len(mirrors)))

    seen = {}
    for r in archives + locals:
        key = (r.kind, r.platform)
        if key in seen:
            return struct(error = ("IREE_ARCHIVE_CONFLICT: the %s for %s is given twice, in iree.archive or iree.local tags; " +
                                   "keep one of them") % key)
        seen[key] = True
    return struct(error = None, archives = archives, locals = locals, mirror = mirrors[0] if mirrors else None)

def add_archives(table, version, requests):
    """Puts the root module's artifacts into the version table.

    Args:
      table: the decoded versions.json.
      version: the version of the build.
      requests: the result of root_requests, without an error.

    Returns:
      A struct with error and table, in which `version` has a row.
    """
    for a in requests.archives:
        if a.version != version:
            return struct(table = None, error = (
                "IREE_VERSION_SKEW: the %s archive for %s is for IREE %s, but the build uses %s; compiler and runtime must be " +
                "the same version: change the archive, or the version of the root module's iree.toolchain tag"
            ) % (a.kind, a.platform, a.version, version))
    old = table["versions"].get(version, {})
    row = {kind: dict(old.get(kind, {})) for kind in ["compiler", "runtime"]}
    for a in requests.archives:
        row[a.kind][a.platform] = a.row
    for r in requests.locals:
        row[r.kind][r.platform] = {"filename": "local:" + r.path, "local": r.path, "package": "", "sha256": ""}
    row["runtime_source"] = old.get("runtime_source")
    return struct(error = None, table = table | {"versions": table["versions"] | {version: row}})

def mirror_urls(mirror, artifact, version):
    """Fills in a mirror's templates for an artifact."""
    urls = []
    for template in mirror.urls if mirror else []:
        for key, value in {
            "{filename}": artifact.filename,
            "{kind}": artifact.kind,
            "{package}": artifact.package,
            "{platform}": artifact.platform,
            "{version}": version,
        }.items():
            template = template.replace(key, value)
        urls.append(template)
    return urls

def _archive_fault(module, tag):
    where = "the %s archive of %s" % (tag.kind, tag.version)
    if tag.platform not in PLATFORMS:
        return _no_platform(module, where, tag.platform)
    where = "%s: %s for %s" % (module, where, tag.platform)
    if len(tag.sha256) != 64 or tag.sha256.strip("0123456789abcdef"):
        return "IREE_ARCHIVE_SHA256: %s: sha256 %r is not 64 lower-case hexadecimal digits; use the output of sha256sum" % (where, tag.sha256)
    sources = [s for s in ["package", "urls", "file"] if getattr(tag, s)]
    if len(sources) != 1:
        return "IREE_ARCHIVE_SOURCE: %s: it has %s; give one of package (with filename), urls and file" % (
            where,
            " and ".join(sources) or "no source",
        )
    if tag.package and not tag.filename:
        return "IREE_ARCHIVE_SOURCE: %s: package %r needs the wheel's filename" % (where, tag.package)
    return None

def _mirror_fault(module, tag):
    for url in tag.urls:
        rest = url
        for known in _PLACEHOLDERS:
            rest = rest.replace(known, "")
        if "{" in rest or "}" in rest or "{filename}" not in url:
            return "IREE_MIRROR: %s: %r is not a template; it needs {filename} and may have %s" % (
                module,
                url,
                ", ".join([p for p in _PLACEHOLDERS if p != "{filename}"]),
            )
    return None

def _no_platform(module, where, platform):
    return "IREE_ARCHIVE_PLATFORM: %s: %s: %r is not a platform; use one of %s" % (module, where, platform, ", ".join(PLATFORMS))

def _last_part(path):
    return path.replace(":", "/").rpartition("/")[2]
