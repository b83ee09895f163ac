"""What the actions behind some targets cost: time, processor time, peak memory, sizes.

    python3 tools/repro/build_cost.py //models/gemma3:vmfb_cpu //models/gemma3:irpa

Builds the targets, asks Bazel for the command lines of the actions that make models
(index, text, archive, program), and runs each again outside of Bazel, with its outputs
in a folder that is removed; the least time of some rounds and the largest memory count.
Memory is that of the largest process of an action: mapped files count as far as they
are in memory.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time

MNEMONICS = ["WeightsIndex", "StableHloExport", "IrpaPack", "IreeCompile"]


def bazel(*args):
    return subprocess.run(["./bazelw", *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def paths(graph):
    """The path of each artifact by its number."""
    fragments = {f["id"]: f for f in graph["pathFragments"]}

    def whole(number):
        f = fragments[number]
        parent = f.get("parentId")
        return (whole(parent) + "/" if parent else "") + f["label"]

    return {a["id"]: whole(a["pathFragmentId"]) for a in graph["artifacts"]}


def run(argv, root):
    """Seconds, processor seconds and kilobytes of one command."""
    start = time.monotonic()
    process = subprocess.Popen(argv, cwd=root, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("%s ended with %d" % (argv[0], process.returncode))
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    # With a cache, Bazel fetches only what was asked for: here also what made it.
    bazel("build", "--remote_download_outputs=all", *args.targets)
    root = bazel("info", "execution_root").strip()
    query = 'mnemonic("%s", deps(%s))' % ("|".join(MNEMONICS), " + ".join(args.targets))
    graph = json.loads(bazel("aquery", "--output=jsonproto", query))
    names = {t["id"]: t["label"] for t in graph["targets"]}
    artifact = paths(graph)
    actions = sorted(graph["actions"], key=lambda a: (MNEMONICS.index(a["mnemonic"]), names[a["targetId"]]))
    print("%-16s %-44s %8s %8s %9s" % ("action", "target", "seconds", "cpu s", "peak MiB"))
    for action in actions:
        outputs = [artifact[n] for n in action["outputIds"]]
        best, cpu, peak = float("inf"), float("inf"), 0
        for _ in range(args.rounds):
            folder = tempfile.mkdtemp()
            try:
                moved = {o: os.path.join(folder, os.path.basename(o)) for o in outputs}
                wall, used, memory = run([moved.get(a, a) for a in action["arguments"]], root)
                sizes = {os.path.basename(o): os.path.getsize(moved[o]) for o in outputs}
            finally:
                shutil.rmtree(folder)
            best, cpu, peak = min(best, wall), min(cpu, used), max(peak, memory)
        print("%-16s %-44s %8.3f %8.3f %9.1f" % (action["mnemonic"], names[action["targetId"]], best, cpu, peak / 1024))
        for name, size in sizes.items():
            print("%-16s   %s: %d bytes" % ("", name, size))


if __name__ == "__main__":
    main()
