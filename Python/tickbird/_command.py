"""The command ``python -m tickbird audit``: audits of Parquet files."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, Iterator

from ._audits import Audit
from ._lists import RefusedError, RuleList, RuleLists
from ._sources import open_lists

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1 << 15
_PARTS = ("url", "page", "type", "frame", "context", "method", "party")


class _Failure(Exception):
    """Why there is no report."""


def add_audit(commands: Any) -> None:
    """Add the subcommand and its options."""
    parser = commands.add_parser(
        "audit", help="count what rules do to the requests in Parquet files",
        description="Writes what `tickbird audit` writes about a log with the same rows. Several files are one log, "
        "in the order given; a folder has its files in the order of their names.",
        epilog="Exit status: 0 all is well; 1 there were bad rows, or a list was refused; 2 wrong use, or a file "
        "cannot be read or written.",
    )
    parser.add_argument("-l", "--list", action="append", required=True, metavar="LIST",
                        help="a rule list: JSON, the same compressed by gzip, or compiled; may be repeated")
    parser.add_argument("--parquet", nargs="+", required=True, metavar="FILE", help="Parquet files or folders of them")
    parser.add_argument("--log", metavar="NAME", help="what the report calls the rows (default: the first FILE)")
    parser.add_argument("--line", metavar="COLUMN", help="the column with the rows' numbers")
    parser.add_argument("--column", action="append", default=[], metavar="PART=NAME",
                        help=f"the column of a part of the loads: {', '.join(_PARTS)}; without NAME: there is none")
    parser.add_argument("--type", metavar="TYPE", help="the type of all rows, such as script")
    parser.add_argument("--format", choices=("text", "json", "csv"), help="the form of the report (default: text)")
    parser.add_argument("--by", choices=("rule", "site", "rule-site"), help="what rows of csv are for (default: rule)")
    parser.add_argument("--top", type=int, metavar="N", help="the most rows in each table of the text (default: 20)")
    parser.add_argument("--unmatched", action="store_true", help="also list the rules that never matched")
    parser.add_argument("--partial", metavar="FILE", help="write a partial audit for `tickbird audit merge` instead")
    parser.add_argument("--threads", type=int, metavar="N", help="how many decide (default: one a processor)")
    parser.set_defaults(run=_run)


def _run(choice: argparse.Namespace) -> int:
    try:
        _check(choice)
        return _report(choice, _audited(choice))
    except _Failure as failure:
        print(f"tickbird: {failure}", file=sys.stderr)
        return 2


def _check(choice: argparse.Namespace) -> None:
    given = [name for name in ("format", "by", "top") if getattr(choice, name) is not None]
    if choice.partial is not None and (given or choice.unmatched):
        raise _Failure("--partial writes no report, so that options for one have nothing to say; leave them out")
    if choice.by is not None and choice.format != "csv":
        raise _Failure("--by says what csv has a row for; give --format csv as well, or leave --by out")
    if choice.top is not None and (choice.format or "text") != "text":
        raise _Failure(f"--top is about the tables of the text; {choice.format} has all rows, so leave --top out")
    for name, least in (("top", 0), ("threads", 1)):
        value = getattr(choice, name)
        if value is not None and value < least:
            raise _Failure(f"--{name} {value} is not possible; give {least} or more")


def _columns(choice: argparse.Namespace) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for text in choice.column:
        part, found, name = text.partition("=")
        if not found or part not in _PARTS:
            raise _Failure(f"--column {text}: give PART=NAME, where PART is one of {', '.join(_PARTS)}")
        columns[part] = name or None
    return columns


def _lists(paths: list[str]) -> RuleLists:
    found: list[RuleList] = []
    for path in paths:
        try:
            found += open_lists(path).lists
        except RefusedError as error:
            print(f"tickbird: {error}", file=sys.stderr)
            sys.exit(1)
        except OSError as error:
            raise _Failure(f"{path} cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise _Failure(f"{path}: {error}") from error
    return RuleLists(found)


def _audited(choice: argparse.Namespace) -> Audit:
    columns = _columns(choice)
    try:
        from . import _counting
    except ImportError as error:
        raise _Failure("Parquet needs pyarrow, which is not installed: pip install pyarrow") from error
    lists = _lists(choice.list)
    threads = choice.threads or len(os.sched_getaffinity(0))
    try:
        return _counting.audit_batches(
            lists, _batches(choice, columns), log=choice.log or choice.parquet[0], every_type=choice.type,
            line=choice.line, threads=threads, **columns,
        )
    except (ValueError, TypeError) as error:
        raise _Failure(str(error)) from error


def _batches(
    choice: argparse.Namespace, columns: dict[str, Any]
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa
    import pyarrow.parquet

    from ._columns import Columns

    for path in _files(choice.parquet):
        try:
            with pyarrow.parquet.ParquetFile(path) as file:
                schema = file.schema_arrow
                found = Columns(schema, columns, choice.type)
                names = [schema.names[place] for place in found.places if place is not None]
                if choice.line is not None:
                    names.append(choice.line)
                # Of a file without rows, its columns.
                yield pa.RecordBatch.from_arrays(
                    [pa.array([], schema.field(name).type) for name in names if name in schema.names],
                    names=[name for name in names if name in schema.names],
                )
                yield from file.iter_batches(_ROWS, columns=names)
        except OSError as error:
            raise _Failure(f"{path} cannot be read: {error.strerror or error}") from error
        except pa.ArrowInvalid as error:
            raise _Failure(f"{path} is no sound Parquet file: {error}") from error
        except ValueError as error:
            raise _Failure(f"{path}: {error}") from error


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        files = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            # As Spark and Hadoop write and skip them.
            if not name.startswith((".", "_"))
        )
        if not files:
            raise _Failure(f"{path} is a folder without files; give one that has some")
        yield from files


def _report(choice: argparse.Namespace, audit: Audit) -> int:
    if choice.partial is not None:
        try:
            audit.save(choice.partial)
        except OSError as error:
            raise _Failure(f"{choice.partial} cannot be written: {error.strerror or error}") from error
    else:
        _write(choice, audit)
    if not audit.bad_rows:
        return 0
    for line in audit.data["first_bad_lines"]:
        print(f"tickbird: {audit.log}, row {line['line']}: {line['message']}", file=sys.stderr)
    print(f"tickbird: {audit.bad_rows} bad rows of {audit.bad_rows + audit.requests} left out", file=sys.stderr)
    return 1


def _write(choice: argparse.Namespace, audit: Audit) -> None:
    if choice.format == "json":
        report = audit.json()
    elif choice.format == "csv":
        report = audit.csv(choice.by or "rule", unmatched=choice.unmatched)
    else:
        top = 20 if choice.top is None else choice.top
        report = audit.text(top=top, unmatched=choice.unmatched).encode()
    try:
        sys.stdout.buffer.write(report)
        sys.stdout.buffer.flush()
    except OSError as error:
        # Nothing more can be written there, also not at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise _Failure(f"the report cannot be written: {error.strerror}") from error
