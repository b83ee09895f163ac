"""What the levels of optimisation change: size, time to compile, time of a call.

    python3 tools/repro/levels.py [ROUNDS]

For Whisper tiny.en's encoder, the picture of examples/staircase and a product of
matrices [1024, 1024], for x86-64-v3.
A round compiles and calls each program once, in turn; the least of the rounds counts.
Calls run on one thread (local-sync). Time of a call is given relative to the level
`latency`, in processor time.
"""

import json
import subprocess
import sys
import tempfile
import time

LEVELS = ["latency", "size", "debug", "aggressive"]
PACKAGE = "//toolchains/iree/matrix:"
MODELS = {
    "encoder": ["--function=encode", "--input=1x80x3000xf32=0.1"],
    "gray": ["--function=main", "--input=600x512x3xi8=7"],
    "product": ["--function=main", "--input=1024x1024xf32=0.1", "--input=1024x1024xf32=0.3"],
}


def bazel(*args):
    return subprocess.run(["./bazelw", *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def files(target):
    return bazel("cquery", "--output=files", target).split()


def compile_command(target):
    """The command line of a target's compile."""
    graph = json.loads(bazel("aquery", "--output=jsonproto", 'mnemonic("IreeCompile", %s)' % target))
    return graph["actions"][0]["arguments"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    programs = {(m, l): "%s%s_level_%s" % (PACKAGE, m, l) for m in MODELS for l in LEVELS}
    bazel("build", "--output_groups=+mlir", PACKAGE + "encoder_irpa", "//toolchains/iree:runtime", *programs.values())
    root = bazel("info", "execution_root").strip()
    archive = files(PACKAGE + "encoder_irpa")[0]
    tool = next(f for f in files("//toolchains/iree:runtime") if f.endswith("iree-benchmark-module"))
    size, compiled, called = {}, {}, {}
    for key, target in programs.items():
        path = next(f for f in files(target) if f.endswith(".vmfb"))
        size[key] = len(open("%s/%s" % (root, path), "rb").read())
        programs[key] = (path, compile_command(target))
    for _ in range(rounds):
        for key, (path, command) in programs.items():
            with tempfile.TemporaryDirectory() as out:
                argv = list(command)
                argv[argv.index("--output") + 1] = out + "/p.vmfb"
                begun = time.monotonic()
                subprocess.run(argv, cwd=root, check=True, stderr=subprocess.DEVNULL)
                took = time.monotonic() - begun
            compiled[key] = min(took, compiled.get(key, took))
            report = subprocess.run(
                [tool, "--device=local-sync", "--module=" + path, "--parameters=model=" + archive,
                 "--benchmark_format=json", *MODELS[key[0]]],
                cwd=root, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            took = json.loads(report)["benchmarks"][0]["cpu_time"]  # as little of others as can be
            called[key] = min(took, called.get(key, took))
    print("%-8s %-11s %9s %10s %6s" % ("model", "level", "bytes", "compile s", "call"))
    for m, l in programs:
        print("%-8s %-11s %9d %10.1f %6.2f" % (m, l, size[m, l], compiled[m, l], called[m, l] / called[m, "latency"]))


if __name__ == "__main__":
    main()
