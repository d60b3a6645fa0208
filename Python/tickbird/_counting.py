"""Audits over Arrow tables, without a loop in Python over rows."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Iterable, Optional

import pyarrow as pa
import pyarrow.compute as pc

from . import _native
from ._audits import Audit
from ._columns import Columns, described, texts
from ._sources import Lists

_OK = 0
# So many rows at a time: their texts are a few megabytes.
_ROWS = 1 << 15


class Counter:
    """Counts the rows of batches, which have one schema, in an audit."""

    def __init__(
        self, audit: Audit, schema: pa.Schema, chosen: dict[str, Optional[str]],
        every_type: Optional[str] = None, line: Optional[str] = None, line_name: Optional[str] = None,
    ) -> None:
        """``line_name`` is what errors call the column ``line``, if not by its name."""
        self.audit = audit
        self.columns = Columns(schema, chosen, every_type)
        self.line: Optional[int] = None
        self.line_name = line_name or line
        if line is not None:
            self.line = schema.get_field_index(line)
            if self.line < 0:
                raise ValueError(f"there is no column {line!r}, or several; the columns are "
                                 f"{', '.join(schema.names)}")
            if not pa.types.is_integer(schema.field(self.line).type):
                raise TypeError(f"column {line!r} is {schema.field(self.line).type}; the numbers of rows must "
                                "be whole")

    def add(self, batch: pa.RecordBatch, first: Optional[int] = None) -> None:
        """Count a batch; its rows have numbers from ``first`` on, those of the column, or none."""
        for start in range(0, batch.num_rows, _ROWS):
            self._add(batch.slice(start, _ROWS), None if first is None else first + start)

    def _add(self, batch: pa.RecordBatch, first: Optional[int]) -> None:
        rows = batch.num_rows
        # Kept until the call is over, for the engine has only their addresses.
        arrays = [
            None if place is None else texts(batch.column(place), batch.schema.names[place])
            for place in self.columns.places
        ]
        numbers = self._numbers(batch, first)
        status = self.audit._add(
            rows, tuple(array if array is None else described(array) for array in arrays),
            self.columns.every_type,
            0 if numbers is None else numbers.buffers()[1].address + 8 * numbers.offset,
        )
        if status == _OK:
            return
        if numbers is not None and (pc.min(numbers).as_py() < 1 or pc.max(numbers).as_py() > 1 << 60):
            raise ValueError(f"column {self.line_name!r} has {pc.min(numbers).as_py()}; rows are numbered from "
                             "1 to 2^60")
        raise ValueError(f"the batch is damaged: {_native.status_text(status)}")

    def _numbers(self, batch: pa.RecordBatch, first: Optional[int]) -> Optional[pa.Array]:
        if first is not None:
            return pc.add(_ascending(batch.num_rows), pa.scalar(first, pa.int64()))
        if self.line is None:
            return None
        numbers = batch.column(self.line)
        if numbers.null_count:
            raise ValueError(f"column {self.line_name!r} has a null; every row needs its own number")
        return numbers.cast(pa.int64())


_numbers: Optional[pa.Array] = None


def _ascending(count: int) -> pa.Array:
    """Returns the numbers from 0 on."""
    global _numbers
    if _numbers is None:
        _numbers = pa.array(range(_ROWS), pa.int64())
    return _numbers.slice(0, count)


def audit_batches(
    lists: Lists, batches: Iterable[pa.RecordBatch], *, log: str = "rows",
    every_type: Optional[str] = None, line: Optional[str] = None, threads: int = 1,
    progress: Optional[Callable[[int], None]] = None, **columns: Optional[str],
) -> Audit:
    """Count what lists do to all rows of record batches, as they come.

    Columns are found and named as for ``decide_table``; a null or empty cell is an absent part. The report
    is that of ``tickbird audit`` about a log ``log`` with these rows; only the digest of the log is that of
    its rows, which does not depend on their order. Bad rows are counted, and the first ten kept.

    Examples name the row, from 1: its place among all, or the number that the column ``line`` has, which must
    be different for each row; then the report does not depend on the order of rows. ``every_type`` is the
    type of all rows of a table without one. ``threads`` share the work, for which each needs about 100 bytes
    a rule. ``progress`` is called with the number of rows that are counted.
    """
    audit = Audit(lists, log)
    if threads > 1:
        _share(audit, batches, threads, every_type, line, columns, progress)
        return audit
    counters = _Counters(audit, every_type, line, columns)
    rows = 0
    for batch in batches:
        counters.of(batch.schema).add(batch)
        rows += batch.num_rows
        if progress:
            progress(rows)
    return audit


def audit_table(lists: Lists, table: pa.Table, **options: Any) -> Audit:
    """Count what lists do to all rows of a table; see ``audit_batches`` for the options."""
    # The columns are looked for also where there is no row.
    empty = pa.RecordBatch.from_arrays([pa.array([], each.type) for each in table.schema], schema=table.schema)
    return audit_batches(lists, [empty, *table.to_batches()], **options)


class _Counters:
    """The counter of an audit for each schema."""

    def __init__(
        self, audit: Audit, every_type: Optional[str], line: Optional[str],
        columns: dict[str, Optional[str]],
    ) -> None:
        self.audit = audit
        self.options = (columns, every_type, line)
        self.schema: Optional[pa.Schema] = None
        self.counter: Optional[Counter] = None

    def of(self, schema: pa.Schema) -> Counter:
        if self.counter is None or self.schema != schema:
            self.schema = schema
            self.counter = Counter(self.audit, schema, *self.options)
        return self.counter


def _share(
    audit: Audit, batches: Iterable[pa.RecordBatch], threads: int, every_type: Optional[str],
    line: Optional[str], columns: dict[str, Optional[str]], progress: Optional[Callable[[int], None]],
) -> None:
    """Counts in several threads, each with an audit of its own."""
    idle = [
        _Counters(Audit(audit.lists, audit.log), every_type, line, columns) for _ in range(threads)
    ]
    parts = [each.audit for each in idle]
    rows = done = 0

    def count(batch: pa.RecordBatch, first: Optional[int]) -> int:
        counters = idle.pop()
        try:
            counters.of(batch.schema).add(batch, first)
        finally:
            idle.append(counters)
        return int(batch.num_rows)

    with ThreadPoolExecutor(threads) as pool:
        # So many batches are in memory at most.
        waiting: deque[Future[int]] = deque()

        def settle(most: int) -> None:
            nonlocal done
            while len(waiting) > most:
                done += waiting.popleft().result()
                if progress:
                    progress(done)

        try:
            for batch in batches:
                for start in range(0, batch.num_rows, _ROWS):
                    part = batch.slice(start, _ROWS)
                    waiting.append(pool.submit(count, part, None if line is not None else rows + 1))
                    rows += part.num_rows
                    settle(2 * threads)
            settle(0)
        except BaseException:
            for each in waiting:
                each.cancel()
            raise
    for part in parts:
        audit.merge(part)
