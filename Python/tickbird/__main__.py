"""The command ``python -m tickbird check LIST…``.

Exit status: 0 all lists are accepted, 1 one is refused, 2 wrong use or a file cannot be read.
"""

from __future__ import annotations

import argparse
import sys

from . import __version__, report


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tickbird", description="Checks Safari's content-blocker rule lists."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="print WebKit's verdict and every finding")
    checking.add_argument("lists", nargs="+", metavar="LIST")
    choice = parser.parse_args()
    status = 0
    for path in choice.lists:
        try:
            with open(path, "rb") as file:
                found = report(file.read(), path)
        except OSError as error:
            print(f"tickbird: {path} cannot be read: {error.strerror}", file=sys.stderr)
            status = 2
            continue
        for each in found.diagnostics:
            print(f"{path}:{each}")
        verdict = "accepted" if found.accepted else f"refused: {found.error}"
        print(f"{path}: {verdict}, {found.rules} rules, {len(found.diagnostics)} findings")
        if not found.accepted:
            status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main())
