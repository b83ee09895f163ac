"""Fetches the pinned Go SDK for the host, with or without a Go download site.

The Go project publishes each SDK also as a version of the module golang.org/toolchain.
Where a go command is on the path, `go mod download` brings that module by the host's own
proxy settings; elsewhere the same zip comes from the Go download site. Either way it is
the content that versions.bzl names, or nothing.
"""

load(":versions.bzl", "GO_SDKS")

_SITE = "https://go.dev/dl/mod/golang.org/toolchain/@v/{}.zip"

def _host_platform(repository_ctx):
    goos = repository_ctx.os.name.lower()
    goos = "darwin" if goos.startswith("mac") else "windows" if goos.startswith("windows") else goos
    goarch = {"aarch64": "arm64", "x86_64": "amd64"}.get(repository_ctx.os.arch, repository_ctx.os.arch)
    return goos + "_" + goarch

def version_fault(version, platform):
    """Says what to write where no SDK is known.

    Args:
      version: as go_sdk_archive has it.
      platform: of the machine, such as linux_amd64.

    Returns:
      What is wrong, or None.
    """
    if GO_SDKS.get(version, {}).get(platform):
        return None
    return "GO_SDK_VERSION: no Go %s for %s is in toolchains/go/versions.bzl; it has %s; write one of them, or go_sdk.download(version = %r) in place of go_sdk_archive" % (
        version,
        platform,
        "; ".join(["%s for %s" % (v, ", ".join(sorted(p))) for v, p in GO_SDKS.items()]),
        version,
    )

def proxy_fault(module, answer, stderr, sum):
    """Checks what `go mod download -json` answered.

    Args:
      module: what was asked for.
      answer: the JSON, a dict that is empty where there was none.
      stderr: what it said besides.
      sum: the module's sum as versions.bzl has it.

    Returns:
      What is wrong, or None.
    """
    if answer.get("Error") or "Zip" not in answer:
        return "GO_SDK_DOWNLOAD: %s: %s; check GOPROXY and GOSUMDB of this host (go env), or use go_sdk.host() in place of go_sdk_archive" % (
            module,
            " ".join([w for w in (answer.get("Error") or stderr).replace("\n", " ").split(" ") if w]),
        )
    if answer["Sum"] != sum:
        return "GO_SDK_SUM: %s: its sum is %s, toolchains/go/versions.bzl has %s; what the proxy gives is not what the Go project published" % (module, answer["Sum"], sum)
    return None

def _download_by_proxy(repository_ctx, go, module, sum):
    """Returns the path of the module's zip in the Go module cache."""
    repository_ctx.report_progress("Fetching {} through the Go proxy".format(module))
    repository_ctx.file("download/go.mod", "module download\n", executable = False)
    result = repository_ctx.execute(
        [go, "mod", "download", "-json", module],
        working_directory = "download",
        environment = {"GO111MODULE": "on", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off"},
    )
    answer = json.decode(result.stdout) if result.stdout.startswith("{") else {}
    fault = proxy_fault(module, answer if result.return_code == 0 or answer.get("Error") else {}, result.stderr, sum)
    if fault:
        fail(fault)
    repository_ctx.delete("download")
    return answer["Zip"]

def _set_execute_bits(repository_ctx):
    """A module zip keeps no execute bits."""
    if repository_ctx.os.name.lower().startswith("windows"):
        return
    programs = repository_ctx.path("bin").readdir()
    for directory in repository_ctx.path("pkg/tool").readdir():
        programs += directory.readdir()
    result = repository_ctx.execute(["chmod", "+x"] + [str(p) for p in programs])
    if result.return_code != 0:
        fail("GO_SDK_UNPACK: the SDK's programs cannot be made executable: %s; check who may write to the output base" % result.stderr.strip())

def _go_sdk_archive_impl(repository_ctx):
    version, platform = repository_ctx.attr.version, _host_platform(repository_ctx)
    fault = version_fault(version, platform)
    if fault:
        fail(fault)
    sdk = GO_SDKS[version][platform]
    module_version = "v0.0.1-go{}.{}".format(version, platform.replace("_", "-"))
    prefix = "golang.org/toolchain@" + module_version

    go = repository_ctx.which("go")
    if go:
        archive = _download_by_proxy(repository_ctx, go, prefix, sdk.sum)
        repository_ctx.extract(archive, stripPrefix = prefix, watch_archive = "no")
    else:
        repository_ctx.download_and_extract(
            url = _SITE.format(module_version),
            sha256 = sdk.sha256,
            stripPrefix = prefix,
            type = "zip",
        )
    _set_execute_bits(repository_ctx)
    repository_ctx.file("ROOT", "", executable = False)
    repository_ctx.file("BUILD.bazel", "exports_files([\"ROOT\"])\n", executable = False)

go_sdk_archive = repository_rule(
    implementation = _go_sdk_archive_impl,
    attrs = {
        "version": attr.string(mandatory = True, doc = "A version that versions.bzl lists."),
    },
    doc = "The Go SDK of a version for the host, checked by sum. `:ROOT` is a file in its root, for `go_sdk.wrap`.",
)
