"""Lists over what DuckDB reads: ``audit("select * from 'crawl/*.parquet'", lists)``.

Rows go from DuckDB's threads through the engine as Arrow batches, in one process, without a copy of the whole.
See Documentation/Spark.md.
"""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from ._packages import require

require("duckdb", "pyarrow", by="tickbird.duckdb")

import duckdb
import pyarrow as pa

from ._audits import Audit
from ._counting import audit_batches
from ._sources import Lists, open_lists
from .arrow import decide_batches

__all__ = ["audit", "decide"]

Source = Union[str, "duckdb.DuckDBPyRelation"]
"""A query in SQL, or a relation."""

_ROWS = 1 << 15


def audit(
    source: Source, lists: Lists, *, connection: Optional[duckdb.DuckDBPyConnection] = None,
    threads: Optional[int] = None, **options: Any,
) -> Audit:
    """Count what lists do to all rows of a query or a relation.

    Queries are made on ``connection``, or DuckDB's default one. ``threads`` decide, one for each processor
    unless given. The other options are those of ``tickbird.arrow.audit_batches``. DuckDB keeps the order of
    rows in files, unless its ``preserve_insertion_order`` is off; examples name rows by it, or by the column
    ``line``.
    """
    opened = open_lists(lists)
    if threads is None:
        threads = len(os.sched_getaffinity(0))
    reader = _reader(source, connection)
    # The columns are looked for also where there is no row.
    empty = reader.schema.empty_table().to_batches() or [
        pa.RecordBatch.from_arrays([pa.array([], each.type) for each in reader.schema], schema=reader.schema)
    ]
    audit_batches(opened, empty, **{**options, "progress": None})
    return audit_batches(opened, reader, threads=threads, **options)


def decide(
    source: Source, lists: Lists, *, connection: Optional[duckdb.DuckDBPyConnection] = None, **options: Any,
) -> pa.RecordBatchReader:
    """Decide all rows of a query or a relation, as they are read.

    Returns a reader of batches with the columns of ``tickbird.arrow.decide_table``, whose options these are;
    DuckDB reads it in turn by its name, on another connection or cursor, since this one is busy with the query:
    ``decided = decide(…); connection.cursor().sql("select … from decided")``.
    """
    opened = open_lists(lists)
    reader = _reader(source, connection)
    empty = pa.RecordBatch.from_arrays(
        [pa.array([], each.type) for each in reader.schema], schema=reader.schema
    )
    schema = next(iter(decide_batches(opened, [empty], **options))).schema
    return pa.RecordBatchReader.from_batches(schema, decide_batches(opened, reader, **options))


def _reader(
    source: Source, connection: Optional[duckdb.DuckDBPyConnection]
) -> pa.RecordBatchReader:
    if isinstance(source, str):
        relation = connection.sql(source) if connection is not None else duckdb.sql(source)
        if relation is None:
            raise ValueError("the query has no rows to read; give one that selects some")
    elif isinstance(source, duckdb.DuckDBPyRelation):
        relation = source
    else:
        raise TypeError(f"{type(source).__name__} is no query and no relation of DuckDB")
    # The name that newer versions have, and that of older ones.
    fetch = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    reader: pa.RecordBatchReader = fetch(_ROWS)
    return reader
