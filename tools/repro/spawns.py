"""Lists what Bazel ran: spawns.py LOG [MNEMONIC...]

LOG is of --execution_log_json_file. A line is mnemonic, how it ran (a sandbox, a
cache) and target; with MNEMONICs only theirs. Actions that were up to date are not
in such a log.
"""

import json
import sys


def spawns(text):
    """The objects of the log, which follow each other without a list around them."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        while at < len(text) and text[at].isspace():
            at += 1
        if at < len(text):
            spawn, at = decoder.raw_decode(text, at)
            yield spawn


def main(log, *mnemonics):
    with open(log, encoding="utf-8") as f:
        text = f.read()
    for spawn in spawns(text):
        if not mnemonics or spawn["mnemonic"] in mnemonics:
            print(spawn["mnemonic"], spawn["runner"].replace(" ", "-"), spawn.get("targetLabel", ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
