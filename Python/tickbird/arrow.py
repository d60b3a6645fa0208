"""Decisions over Arrow tables, without a loop in Python over rows.

Columns are handed to the engine where Arrow has them; the interpreter's lock is let go of meanwhile.
Needs ``pyarrow``, which is not installed with this package: ``pip install pyarrow``.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional

from ._packages import require

require("pyarrow", by="tickbird.arrow")

import pyarrow as pa
import pyarrow.compute as pc

from . import _native
from ._columns import Columns, described, texts
from ._counting import audit_batches, audit_table

__all__ = ["Counts", "audit_batches", "audit_table", "counts", "decide_batches", "decide_table"]

_OK = 0
_FULL = 9
_MISSING = 6

# So many rows at a time are decided: enough that what a call costs does not count, and few enough that
# their results stay in the processor's memory.
_ROWS = 1 << 15

_FAULTS = ["", "", "", "", "bad-url", "bad-word", "missing", "too-long"]


class Counts(NamedTuple):
    """What became of the rows of a table."""

    rows: int
    blocked: int
    missing: int
    """Rows without a URL or a type."""
    bad: int
    """Rows that cannot be decided for another reason, such as a URL that is not absolute."""


class _Worker:
    """Decides batches in one thread."""

    def __init__(self, lists: Any, columns: Columns, rules: bool, keep: bool) -> None:
        self.decider = _native.decider(lists._handles)
        self.columns = columns
        self.rules = rules
        self.keep = keep
        self.has_lists = len(lists._handles) != 1

    def decide(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Counts]:
        rows = batch.num_rows
        # Kept until the call is over, for the engine has only their addresses.
        arrays = [
            None if place is None or rows == 0
            else texts(batch.column(place), batch.schema.names[place])
            for place in self.columns.places
        ]
        places = tuple(array if array is None else described(array) for array in arrays)
        flags = pa.allocate_buffer(4 * rows)
        faults = pa.allocate_buffer(rows)
        offsets = pa.allocate_buffer(8 * (rows + 1)) if self.rules else None
        capacity = 2 * rows + 64 if self.rules else 0
        lists, numbers = (pa.allocate_buffer(4 * capacity) for _ in range(2))
        done = blocked = missing = bad = 0
        while True:
            status, done, *more = _native.decide_batch(
                self.decider, rows, places, self.columns.every_type, 0, flags.address,
                faults.address, offsets.address if offsets else 0, lists.address, numbers.address,
                capacity, done,
            )
            blocked, missing, bad = blocked + more[0], missing + more[1], bad + more[2]
            if status != _FULL:
                break
            lists, numbers = _grown(lists, 8 * capacity), _grown(numbers, 8 * capacity)
            capacity *= 2
        if status != _OK:
            raise ValueError(f"the batch is damaged at row {done}: {_native.status_text(status)}")
        results = self.results(rows, flags, faults, offsets, lists, numbers)
        counted = Counts(rows, blocked, missing, bad)
        return self.batch(batch, results), counted

    def results(
        self, rows: int, flags: pa.Buffer, faults: pa.Buffer, offsets: Optional[pa.Buffer],
        lists: pa.Buffer, numbers: pa.Buffer,
    ) -> dict[str, pa.Array]:
        bits = pa.Array.from_buffers(pa.uint32(), rows, [None, flags])
        fault = pa.Array.from_buffers(pa.uint8(), rows, [None, faults])
        is_decided = pc.equal(fault, 0)

        def flag(bit: int) -> pa.Array:
            return pc.if_else(
                is_decided, pc.not_equal(pc.bit_wise_and(bits, pa.scalar(bit, pa.uint32())), 0), None
            )

        results = {"blocked": flag(1), "cookies_blocked": flag(2), "makes_https": flag(4)}
        if offsets is not None:
            ends = pa.Array.from_buffers(pa.int64(), rows + 1, [None, offsets])
            count = ends[rows].as_py() if rows else 0
            ends = ends.cast(pa.int32()) if rows else pa.array([0], pa.int32())
            values = {"rules": numbers, "lists": lists} if self.has_lists else {"rules": numbers}
            for name, buffer in values.items():
                results[name] = pa.ListArray.from_arrays(
                    ends, pa.Array.from_buffers(pa.uint32(), count, [None, buffer])
                )
        results["fault"] = pa.DictionaryArray.from_arrays(
            pc.if_else(is_decided, None, fault.cast(pa.int8())), pa.array(_FAULTS)
        ).dictionary_decode()
        return results

    def batch(self, batch: pa.RecordBatch, results: dict[str, pa.Array]) -> pa.RecordBatch:
        if not self.keep:
            return pa.RecordBatch.from_arrays(list(results.values()), names=list(results))
        taken = sorted(set(results) & set(batch.schema.names))
        if taken:
            raise ValueError(
                f"the table has a column {taken[0]!r} already; rename it, or say keep=False to get the "
                "results alone"
            )
        return pa.RecordBatch.from_arrays(
            batch.columns + list(results.values()), names=batch.schema.names + list(results)
        )


def _grown(buffer: pa.Buffer, size: int) -> pa.Buffer:
    larger = pa.allocate_buffer(size)
    memoryview(larger)[:buffer.size] = memoryview(buffer)
    return larger


def decide_batches(
    lists: Any, batches: Iterable[pa.RecordBatch], *, every_type: Optional[str] = None,
    rules: bool = True, keep: bool = True,
    counted: Optional[Callable[[Counts], None]] = None, **columns: Optional[str],
) -> Iterator[pa.RecordBatch]:
    """Decide record batches as they come, each for one with the results.

    The parameters are those of ``decide_table``; ``counted`` is called with the counts of each batch.
    """
    worker: Optional[_Worker] = None
    schema: Optional[pa.Schema] = None
    for batch in batches:
        if worker is None or schema != batch.schema:
            schema = batch.schema
            worker = _Worker(lists, Columns(schema, columns, every_type), rules, keep)
        for start in range(0, max(batch.num_rows, 1), _ROWS):
            result, counts = worker.decide(batch.slice(start, _ROWS))
            if counted:
                counted(counts)
            yield result


def decide_table(
    lists: Any, table: pa.Table, *, every_type: Optional[str] = None, rules: bool = True,
    keep: bool = True, progress: Optional[Callable[[int, int], None]] = None, threads: int = 1,
    **columns: Optional[str],
) -> pa.Table:
    """Decide all rows of a table.

    The columns of a load's parts are found by the names of Documentation/Loads.md: ``url``; ``top_url``,
    ``page`` or ``source``; ``resource_type``, ``webkit_type`` or ``type``; ``frame_url``;
    ``load_context``; ``method``; ``load_type``. Others are named by part, as in ``page="referrer"``, and
    ``page=None`` says that there is none. They may be of strings, large or not, of views, or
    dictionary-encoded, in any chunks. A null or empty cell is an absent part.

    Returns the table with columns for the results, or with ``keep=False`` these alone: ``blocked``,
    ``cookies_blocked``, ``makes_https`` (null for a row that cannot be decided), ``rules`` (the positions
    of the rules that apply, then of the exceptions that kept others from it; with several lists also
    ``lists``), and ``fault`` (why the row cannot be decided: ``missing``, ``bad-url``, ``bad-word`` or
    ``too-long``). Bad rows end nothing; ``counts(result)`` says how many there were.

    ``every_type`` is the type of all rows of a table without one. ``rules=False`` leaves rules out.
    ``progress`` is called with the number of rows that are done, and of all. ``threads`` share the work.
    """
    found = Columns(table.schema, columns, every_type)
    local = threading.local()

    def decide(batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Counts]:
        if not hasattr(local, "worker"):
            local.worker = _Worker(lists, found, rules, keep)
        worker: _Worker = local.worker
        return worker.decide(batch)

    # The first has the columns' types, also of a table without rows.
    batches = table.to_batches(max_chunksize=_ROWS) or [
        pa.RecordBatch.from_arrays([pa.array([], each.type) for each in table.schema], schema=table.schema)
    ]
    decided: list[pa.RecordBatch] = []
    total = Counts(0, 0, 0, 0)

    def take(results: Iterable[tuple[pa.RecordBatch, Counts]]) -> None:
        nonlocal total
        for batch, counts in results:
            decided.append(batch)
            total = Counts(*(a + b for a, b in zip(total, counts)))
            if progress:
                progress(total.rows, table.num_rows)

    if threads > 1 and len(batches) > 1:
        with ThreadPoolExecutor(threads) as pool:
            take(pool.map(decide, batches))
    else:
        take(map(decide, batches))
    result = pa.Table.from_batches(decided)
    metadata = dict(table.schema.metadata or {}) if keep else {}
    metadata[b"tickbird.counts"] = " ".join(map(str, total)).encode()
    return result.replace_schema_metadata(metadata)


def counts(table: pa.Table) -> Counts:
    """Return the counts of a table that ``decide_table`` has made."""
    text = (table.schema.metadata or {}).get(b"tickbird.counts")
    if text is None:
        raise ValueError("the table is not from decide_table, or has lost its metadata")
    return Counts(*map(int, text.split()))
