"""Builds from each file of the corpora; all of them must fail."""

load("//rules:defs.bzl", "irpa_archive", "weights_index")
load(":cases.bzl", "CASES")

# Files next to each malformed index; no others are needed to reject it.
_SHARDS = [
    "1.safetensors",
    "2.safetensors",
    "3.safetensors",
    "circle.safetensors.index.json",
    "cut.safetensors",
]

def bad_builds(name):
    """Declares an index and an archive for each file, which only `name` builds.

    Args:
      name: of the target that builds all of them.
    """
    files = ["bad/%s/%s" % (corpus, case) for corpus, cases in CASES.items() for case in cases]
    shards = ["bad/safetensors_index/" + shard for shard in _SHARDS]
    native.genrule(
        name = name + "_files",
        outs = files + shards,
        cmd = "$(execpath //test/badfiles/write) $(RULEDIR)",
        tags = ["manual"],
        tools = ["//test/badfiles/write"],
    )
    builds = []
    for corpus, cases in CASES.items():
        for case in cases:
            build = "bad_%s_%s" % (corpus, case)
            files = {
                "shards": shards if corpus == "safetensors_index" else [],
                "tags": ["manual"],
                "weights": "bad/%s/%s" % (corpus, case),
            }
            weights_index(name = build + "_index", **files)
            irpa_archive(name = build + "_irpa", export = "//rules/tests/fixture:rows_mlir", **files)
            builds += [build + "_index", build + "_irpa"]
    native.filegroup(name = name, srcs = builds, tags = ["manual"])
