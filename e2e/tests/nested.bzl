"""nested_test: a Go test that runs Bazel on a workspace of //e2e."""

load("@rules_go//go:def.bzl", "go_test")

# Variables that decide where a build on this host downloads from and stores files.
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

    It always runs: the nested build reads the whole checkout, which
    cannot be listed in data.

    Args:
      name: of the test.
      srcs: Go files.
      data: outputs of this build that the test reads.
      env: more of its environment.
      tags: more tags.
      **kwargs: attributes of go_test.
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
