"""Checks what Bazel reports of the builds of //rules/tests/corpus:bad_builds.

    bad_corpus.py EVENTS.json rules/tests/corpus BAZEL_BIN/rules/tests/corpus
"""

import ast
import json
import os
import sys
import urllib.parse
import urllib.request

KINDS = {"index": ("WeightsIndex", ".json"), "irpa": ("IrpaPack", ".irpa")}


def cases(path):
    """The dictionary of cases.bzl, which is a literal of Python too."""
    with open(path, encoding="utf-8") as f:
        for node in ast.parse(f.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "CASES":
                return ast.literal_eval(node.value)
    raise SystemExit("FAILED: %s has no CASES" % path)


def failed_actions(path):
    """From a label to its action that failed."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            event = json.loads(line)
            if "actionCompleted" in event["id"] and not event["action"].get("success"):
                found.setdefault(event["id"]["actionCompleted"]["label"], []).append(event["action"])
    return found


def text(file):
    url = urllib.parse.urlparse(file.get("uri", ""))
    with open(urllib.request.url2pathname(url.path), encoding="utf-8") as f:
        return f.read()


def faults(action, kind, code, corpus, output):
    """What is not as it must be."""
    if action["type"] != kind:
        yield "the action is %s" % action["type"]
    if action.get("exitCode") != 1:
        yield "exit status %s" % action.get("exitCode")
    message = text(action["stderr"]) if "stderr" in action else ""
    if not message.startswith("skainet: %s: " % code) or message.count("\n") != 1:
        yield "the message is %r" % message
    if "/bad/%s/" % corpus not in message:
        yield "%r does not name the file" % message
    if os.path.exists(output):
        yield "%s was left" % output


def main():
    events, package, bin_dir = sys.argv[1:]
    actions = failed_actions(events)
    count, bad = 0, 0
    for corpus, files in cases(package + "/cases.bzl").items():
        for case, code in files.items():
            for suffix, (kind, extension) in KINDS.items():
                name = "bad_%s_%s_%s" % (corpus, case, suffix)
                found = actions.get("//%s:%s" % (package, name), [])
                wrong = ["%d actions failed" % len(found)] if len(found) != 1 else []
                for action in found:
                    wrong += faults(action, kind, code, corpus, os.path.join(bin_dir, name + extension))
                count += 1
                if wrong:
                    bad += 1
                    print("FAILED: %s: %s" % (name, "; ".join(wrong)))
    left = [f for f in os.listdir(bin_dir) if f.startswith(".partial-")]
    if left:
        bad += 1
        print("FAILED: %s were left" % left)
    print("%d builds, %d not as they must be" % (count, bad))
    if not count or bad:
        raise SystemExit(1)
    print("PASSED")


if __name__ == "__main__":
    main()
