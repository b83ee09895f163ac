"""nested_test: a Go test that runs Bazel on a workspace of //e2e."""

load("@rules_go//go:def.bzl", "go_test")

# What decides where a build of this host fetches from and keeps things.
_ENVIRONMENT = [
    "CARGO_HOME",
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GONOSUMDB",
    "GOPATH",
    "GOPRIVATE",
    "GOPROXY",
    "GOSUMDB",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "PATH",
    "PIP_CERT",
    "PIP_CONFIG_FILE",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "REQUESTS_CA_BUNDLE",
    "SKAINET_BAZEL",
    "SKAINET_DEBIAN_MIRROR",
    "SKAINET_PYTHON",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "USER",
    "XDG_CACHE_HOME",
    "http_proxy",
    "https_proxy",
    "no_proxy",
]

def nested_test(name, srcs, data = [], env = {}, tags = [], **kwargs):
    """Declares a test of a workspace.

    It runs each time: the nested build reads all of this checkout, which no
    list of data could name.

    Args:
      name: of the test.
      srcs: Go files.
      data: what the test reads of this build.
      env: more of its environment.
      tags: more tags.
      **kwargs: what a go_test takes.
    """
    go_test(
        name = name,
        timeout = "long",
        srcs = srcs,
        data = data + ["//:MODULE.bazel"],
        env = env | {"E2E_ROOT": "$(rlocationpath //:MODULE.bazel)"},
        env_inherit = _ENVIRONMENT,
        tags = tags + [
            "cpu:2",
            "external",
            "local",
            "no-remote",
            "no-sandbox",
            "requires-network",
        ],
        **kwargs
    )
