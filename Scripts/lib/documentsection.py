#!/usr/bin/env python3
"""Puts a text into the section of a document that a script writes.

usage: Scripts/lib/documentsection.py [--check] DOCUMENT NAME <TEXT

The section is what stands between these lines, in which SCRIPT says for people what writes it:

  <!-- begin: NAME; SCRIPT -->
  <!-- end: NAME -->

  --check  write nothing; print the difference if the section has another text

Exit status: 0 the document has the text, 1 it has another one (--check), or no such section, 2 wrong use.
"""

import difflib
import pathlib
import re
import sys


class NoSection(Exception):
    """A document without the section."""


def with_section(document, name, text):
    """The document's text with another text in a section."""
    pattern = re.compile(
        rf"(^<!-- begin: {re.escape(name)}; [^\n]*-->\n).*?(^<!-- end: {re.escape(name)} -->$)", re.S | re.M)
    new, count = pattern.subn(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", document)
    if count != 1:
        raise NoSection(f"there are {count} sections {name}, and not one")
    return new


def write_section(path, name, text):
    """Puts a text into the section of a document; ends the program if there is no such section."""
    path = pathlib.Path(path)
    try:
        path.write_text(with_section(path.read_text(encoding="utf-8"), name, text), encoding="utf-8")
    except NoSection as fault:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {path}: {fault}")


def main():
    words = sys.argv[1:]
    if words in (["--help"], ["-h"]):
        print(__doc__.strip())
        return 0
    check = words[:1] == ["--check"]
    if check:
        words = words[1:]
    if len(words) != 2:
        print("documentsection: a document and a name are wanted; --help says more", file=sys.stderr)
        return 2
    path, name = words
    if not check:
        write_section(path, name, sys.stdin.read())
        return 0
    old = pathlib.Path(path).read_text(encoding="utf-8")
    try:
        new = with_section(old, name, sys.stdin.read())
    except NoSection as fault:
        print(f"documentsection: {path}: {fault}", file=sys.stderr)
        return 1
    sys.stdout.writelines(difflib.unified_diff(
        old.splitlines(True), new.splitlines(True), path, "what it should be"))
    return 0 if new == old else 1


if __name__ == "__main__":
    sys.exit(main())
