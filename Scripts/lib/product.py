"""The product's version and date, which all packages carry; run as a program, it prints the version."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Below the root: releases write it in a tree of their own.
VERSION_FILE = "Sources/TextOutput/ProductVersion.swift"
VERSION = re.compile(r'(static let text = ")([^"]+)(")')


def version(tree=ROOT):
    """The version that a tree says; ends the program where it says none."""
    found = VERSION.search((tree / VERSION_FILE).read_text())
    if not found:
        sys.exit(f"{tree / VERSION_FILE} names no version")
    return found[2]


def set_version(number, tree):
    """Writes a version into a tree, which must have one."""
    file = tree / VERSION_FILE
    old = file.read_text()
    new, places = VERSION.subn(rf"\g<1>{number}\g<3>", old)
    if places != 1:
        sys.exit(f"{file} names no version, or several")
    if new != old:
        file.write_text(new)


def date():
    """Seconds since 1970: SOURCE_DATE_EPOCH, or the last commit, or 0 outside a repository."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None:
        return int(given)
    try:
        return int(subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    except (OSError, subprocess.CalledProcessError):
        return 0


if __name__ == "__main__":
    print(version())
