"""Leaves one Vulkan driver of an unpacked Mesa, and makes its manifest movable.

    lavapipe_finish.py REPOSITORY_DIR

The manifest names its library by an absolute path; the loader also takes one
relative to the manifest. The libraries, whose folder's name differs between
distributions and processors, end in usr/lib/vulkan, with the C library's loader as ld.so where it
came with them.
"""

import glob
import json
import os
import sys

import report
from report import FetchError


def main():
    root = os.path.join(sys.argv[1], "mesa/root")
    manifests = glob.glob(root + "/usr/share/vulkan/icd.d/lvp_icd*.json")
    drivers = glob.glob(root + "/usr/lib/*/libvulkan_lvp.so")
    if len(manifests) != 1 or len(drivers) != 1:
        raise FetchError("FETCH_NOT_FOUND", "mesa-vulkan-drivers", "it has no software driver of Vulkan",
                         "only tests on the software driver are lost")
    with open(manifests[0]) as f:
        manifest = json.load(f)
    folder = os.path.dirname(manifests[0])
    for other in os.listdir(folder):
        os.unlink(os.path.join(folder, other))
    libraries = os.path.dirname(drivers[0])
    for path in glob.glob(libraries + "/libvulkan_*.so"):
        if path != drivers[0]:
            os.unlink(path)
    # One folder for all libraries: the tree may have some in /lib.
    for path in glob.glob(root + "/lib/*/*.so*"):
        os.replace(path, os.path.join(libraries, os.path.basename(path)))
    os.rename(libraries, os.path.join(root, "usr/lib/vulkan"))
    # The loader of the C library, if that came with them, under one name for all processors.
    loaders = glob.glob(root + "/usr/lib/vulkan/ld-linux*.so.*")
    if loaders:
        os.symlink(os.path.basename(sorted(loaders)[0]), os.path.join(root, "usr/lib/vulkan/ld.so"))
    manifest["ICD"]["library_path"] = "../../../lib/vulkan/libvulkan_lvp.so"
    with open(os.path.join(folder, "lvp_icd.json"), "w") as f:
        json.dump(manifest, f, indent=2, sort_keys=True)


if __name__ == "__main__":
    report.run(main)
