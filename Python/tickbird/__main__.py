"""The commands ``python -m tickbird check LIST…`` and ``python -m tickbird audit -l LIST --parquet FILE…``.

Exit status: 0 all is well, 1 a list is refused or there are bad rows, 2 wrong use or a file cannot be read.
"""

from __future__ import annotations

import argparse
import sys

from . import __version__, report
from ._command import add_audit


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tickbird", description="Checks Safari's content-blocker rule lists, and counts what they do."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="print WebKit's verdict and every finding")
    checking.add_argument("lists", nargs="+", metavar="LIST")
    checking.set_defaults(run=_check)
    add_audit(commands)
    choice = parser.parse_args()
    status: int = choice.run(choice)
    return status


def _check(choice: argparse.Namespace) -> int:
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
