"""Checks a file by its sha256: check_sha256.py FILE SHA256."""

import sys

import report

if __name__ == "__main__":
    report.run(lambda: report.check_sha256(sys.argv[1], sys.argv[2], sys.argv[1]))
