"""buildozer for `bazel mod tidy`, built through the Go proxy when it is first asked for."""

_PACKAGE = "github.com/bazelbuild/buildtools/buildozer@v0.0.0-20250930140053-2eb4fccefb52"

def _buildozer_impl(repository_ctx):
    go = repository_ctx.which("go")
    if not go:
        fail("buildozer is built with the host's go command, which is not on the path")
    result = repository_ctx.execute(
        [go, "install", _PACKAGE],
        environment = {"CGO_ENABLED": "0", "GOBIN": str(repository_ctx.path(".")), "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"},
        timeout = 900,
    )
    if result.return_code != 0:
        fail("go install {}: {}".format(_PACKAGE, result.stderr))
    repository_ctx.symlink("buildozer", "buildozer.exe")
    repository_ctx.file("BUILD.bazel", "exports_files([\"buildozer.exe\"])\n", executable = False)

_buildozer = repository_rule(implementation = _buildozer_impl)

def _buildozer_binary_impl(_module_ctx):
    _buildozer(name = "buildozer_binary")

buildozer_binary = module_extension(implementation = _buildozer_binary_impl)
