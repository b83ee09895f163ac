"""Fetches the pinned Go SDK for the host, with or without a Go download site.

The Go project also publishes each SDK as a version of the module golang.org/toolchain.
If a go command is on the path, `go mod download` fetches that module with the host's own
proxy settings; otherwise the same zip comes from the Go download site. Either way
its sha256 must be that of versions.bzl.
"""

load(":versions.bzl", "GO_SDKS")

_SITE = "https://go.dev/dl/mod/golang.org/toolchain/@v/{}.zip"

def _host_platform(repository_ctx):
    goos = repository_ctx.os.name.lower()
    goos = "darwin" if goos.startswith("mac") else "windows" if goos.startswith("windows") else goos
    goarch = {"aarch64": "arm64", "x86_64": "amd64"}.get(repository_ctx.os.arch, repository_ctx.os.arch)
    return goos + "_" + goarch

def version_fault(version, platform):
    """Returns what to write if no SDK is known.

    Args:
      version: as in go_sdk_archive.
      platform: of the machine, such as linux_amd64.

    Returns:
      An error message, or None.
    """
    if GO_SDKS.get(version, {}).get(platform):
        return None
    return "GO_SDK_VERSION: no Go %s for %s is in toolchains/go/versions.bzl; it has %s; use one of them, or go_sdk.download(version = %r) instead of go_sdk_archive" % (
        version,
        platform,
        "; ".join(["%s for %s" % (v, ", ".join(sorted(p))) for v, p in GO_SDKS.items()]),
        version,
    )

def proxy_fault(module, answer, stderr, sum):
    """Checks the output of `go mod download -json`.

    Args:
      module: the requested module.
      answer: the decoded JSON, an empty dict if there was none.
      stderr: its standard error.
      sum: the module's sum in versions.bzl.

    Returns:
      An error message, or None.
    """
    if answer.get("Error") or "Zip" not in answer:
        return "GO_SDK_DOWNLOAD: %s: %s; check GOPROXY and GOSUMDB of this host (go env), or use go_sdk.host() instead of go_sdk_archive" % (
            module,
            " ".join([w for w in (answer.get("Error") or stderr).replace("\n", " ").split(" ") if w]),
        )
    if answer["Sum"] != sum:
        return "GO_SDK_SUM: %s: its sum is %s, but toolchains/go/versions.bzl has %s; the proxy returned something that the Go project did not publish" % (module, answer["Sum"], sum)
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
    """Sets the execute bits, which a module zip does not keep."""
    if repository_ctx.os.name.lower().startswith("windows"):
        return
    programs = repository_ctx.path("bin").readdir()
    for directory in repository_ctx.path("pkg/tool").readdir():
        programs += directory.readdir()
    result = repository_ctx.execute(["chmod", "+x"] + [str(p) for p in programs])
    if result.return_code != 0:
        fail("GO_SDK_UNPACK: the SDK's programs cannot be made executable: %s; check the permissions of the output base" % result.stderr.strip())

def _go_sdk_archive_impl(repository_ctx):
    version, platform = repository_ctx.attr.version, _host_platform(repository_ctx)
    fault = version_fault(version, platform)
    if fault:
        fail(fault)
    sdk = GO_SDKS[version][platform]
    module_version = "v0.0.1-go{}.{}".format(version, platform.replace("_", "-"))
    prefix = "golang.org/toolchain@" + module_version

    # Without an address it is looked for in the repository cache alone.
    archive = {"output": "sdk.zip", "sha256": sdk.sha256}
    if not repository_ctx.download(url = [], allow_fail = True, **archive).success:
        go = repository_ctx.which("go")
        if go:
            # Bazel itself checks the bytes: the go command that found them is the host's.
            url = "file://" + _download_by_proxy(repository_ctx, go, prefix, sdk.sum)
        else:
            url = _SITE.format(module_version)
        repository_ctx.download(url = url, **archive)
    repository_ctx.extract("sdk.zip", stripPrefix = prefix)
    repository_ctx.delete("sdk.zip")
    _set_execute_bits(repository_ctx)
    repository_ctx.file("ROOT", "", executable = False)
    repository_ctx.file("BUILD.bazel", "exports_files([\"ROOT\"] + glob([\"lib/wasm/*.js\"]))\n", executable = False)

go_sdk_archive = repository_rule(
    implementation = _go_sdk_archive_impl,
    attrs = {
        "version": attr.string(mandatory = True, doc = "A version that versions.bzl lists."),
    },
    doc = "A pinned Go SDK for the host, verified by its sum. `:ROOT` is a file in its root, for `go_sdk.wrap`; `:lib/wasm/wasm_exec_node.js` and the file that it needs start programs for js/wasm.",
)
