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
    if result.return_code != 0 or answer.get("Error"):
        fail("go mod download {}: {}\nCheck GOPROXY and GOSUMDB of this host (go env).".format(
            module,
            answer.get("Error") or result.stderr,
        ))
    if answer["Sum"] != sum:
        fail("{}: sum is {}, but toolchains/go/versions.bzl has {}".format(module, answer["Sum"], sum))
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
        fail("chmod of the Go SDK's programs: " + result.stderr)

def _go_sdk_archive_impl(repository_ctx):
    version, platform = repository_ctx.attr.version, _host_platform(repository_ctx)
    sdk = GO_SDKS.get(version, {}).get(platform)
    if not sdk:
        fail("toolchains/go/versions.bzl has no Go {} for {}; it has {}".format(
            version,
            platform,
            {v: sorted(p.keys()) for v, p in GO_SDKS.items()},
        ))
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
