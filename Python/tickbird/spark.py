"""Lists over Spark data frames: ``audit(frame, lists)`` and ``decide(frame, lists)``.

    import tickbird.spark

    frame = spark.read.parquet("s3://crawl/requests")
    report = tickbird.spark.audit(frame, "ads.json")
    print(report.text())
    blocked = tickbird.spark.decide(frame, "ads.json").where("blocked")

Rows go through the engine as Arrow batches, in Python processes of the executors, where this package must be
installed as well. See Documentation/Spark.md.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Optional

from ._packages import require

require("pyarrow", by="tickbird.spark")

import pyarrow as pa

from . import __version__
from ._audits import Audit
from ._columns import Columns
from ._counting import Counter
from ._lists import RuleList, RuleLists, write_file
from ._sources import Lists, open_lists
from .arrow import decide_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["audit", "decide"]

# So many partitions' findings are put together by one task; the driver gets one of so many.
_FAN_IN = 32
_LINE = "line"
_FINDINGS = pa.schema([("first", pa.int32()), ("last", pa.int32()), ("findings", pa.binary())])


def audit(
    frame: DataFrame, lists: Lists, *, log: str = "rows", every_type: Optional[str] = None,
    line: Optional[str] = None, fan_in: int = _FAN_IN, **columns: Optional[str],
) -> Audit:
    """Count what lists do to all rows of a frame.

    The audit is, byte for byte in each of its forms, what ``tickbird.arrow.audit_batches`` makes of
    ``frame.collect()`` on one machine, however the rows are divided. The parameters are those of
    ``audit_batches``; ``lists`` is a ``RuleList``, a path, bytes, or several of these, opened here and sent to
    each executor once.

    Examples name the row by its place, partition after partition, or by the number that the column ``line``
    has: then the report depends neither on the order of rows nor on partitions, as it has to after a shuffle.
    The findings of ``fan_in`` partitions are put together by one task before they come here.

    Raises ``RefusedError`` and its like for lists and ``ValueError`` for columns before anything runs.
    """
    opened = open_lists(lists)
    shipped = _ship(frame, opened)
    if fan_in < 1:
        raise ValueError(f"fan_in={fan_in} is not possible; give 1 or more")
    chosen = _chosen(frame, columns, every_type, line)
    from pyspark.sql import functions

    # Columns are called by their parts, since mapInArrow does not bear every name.
    parts_of = {part: name for part, name in chosen.items() if name is not None}
    if line is not None:
        parts_of[_LINE] = line
    _without_doubles(frame, parts_of.values())
    selected = frame.select(*(_column(frame, name).alias(part) for part, name in parts_of.items()))
    task = _AuditTask(
        shipped, log, fan_in, {part: part if part in parts_of else None for part in chosen}, every_type,
        line,
    )
    context = frame.sparkSession.sparkContext
    parts = (
        selected.mapInArrow(task.count, "first int, last int, findings binary")
        # A shuffle keeps one result of each task, however often it was tried.
        .repartition(context.defaultParallelism, functions.expr(f"first div {fan_in}"))
        .mapInArrow(task.join, "first int, last int, findings binary")
    )
    made = Audit(opened, log)
    _merge(made, [_Part(*row) for row in _collected(parts)], 0, fan_in)
    return made


def decide(
    frame: DataFrame, lists: Lists, *, every_type: Optional[str] = None, rules: bool = True,
    keep: bool = True, **columns: Optional[str],
) -> DataFrame:
    """Decide all rows of a frame, lazily: returns the frame with columns for the results.

    They are those of ``tickbird.arrow.decide_table``: ``blocked``, ``cookies_blocked``, ``makes_https`` (null
    for a row that cannot be decided), ``rules``, with several lists ``lists``, and ``fault``. ``keep=False``
    returns these alone, ``rules=False`` leaves the rules out.
    """
    opened = open_lists(lists)
    shipped = _ship(frame, opened)
    chosen = _chosen(frame, columns, every_type, None)
    names = list(frame.columns)
    # By their places, since mapInArrow does not bear every name.
    safe = {name: f"c{place}" for place, name in enumerate(names)}
    task = _DecideTask(
        shipped, {part: name and safe[name] for part, name in chosen.items()}, every_type, rules, keep,
        len(opened.lists) != 1,
    )
    taken = sorted(set(task.results) & set(names))
    if keep and taken:
        raise ValueError(
            f"the frame has a column {taken[0]!r} already; rename it, or say keep=False to get the results alone"
        )
    from pyspark.sql import types

    kinds: dict[str, Any] = {
        "rules": types.ArrayType(types.IntegerType()), "lists": types.ArrayType(types.IntegerType()),
        "fault": types.StringType(),
    }
    results = [types.StructField(name, kinds.get(name, types.BooleanType())) for name in task.results]
    if not keep:
        used = [name for name in dict.fromkeys(chosen.values()) if name is not None]
        _without_doubles(frame, used)
        source = frame.select(*(_column(frame, name).alias(safe[name]) for name in used))
        return source.mapInArrow(task.decide, types.StructType(results))
    _without_doubles(frame, task.results)
    source = frame.toDF(*(f"c{place}" for place in range(len(names))))
    decided = source.mapInArrow(task.decide, types.StructType(list(source.schema.fields) + results))
    # With what the schema says of each column besides its type.
    from pyspark.sql import functions

    return decided.select(
        *(functions.col(f"c{place}").alias(field.name, metadata=field.metadata)
          for place, field in enumerate(frame.schema.fields)),
        *task.results,
    )


def _collected(parts: DataFrame) -> list[Any]:
    try:
        return parts.collect()
    except Exception as error:
        if "No module named 'tickbird'" in str(error):
            raise RuntimeError(
                "the executors' Python has no tickbird; install the wheel there, send an environment with it "
                "(Documentation/Spark.md), or set PYSPARK_PYTHON to the Python that has it"
            ) from error
        raise


# Lists on their way


class _Shipped:
    """Lists as tasks get them."""

    def __init__(self, digest: str, names: tuple[str, ...], broadcast: Any) -> None:
        self.digest = digest
        self.names = names
        self.broadcast = broadcast
        self.version = __version__

    def open(self) -> RuleLists:
        """Open the lists, once a process; their bytes are those of a file that an executor has once."""
        if self.version != __version__:
            raise RuntimeError(
                f"the driver has tickbird {self.version}, and this executor {__version__}; install one version "
                "everywhere"
            )
        lists = _opened.get(self.digest)
        if lists is None:
            lists = RuleLists([self._open(number) for number in range(len(self.names))])
            # A process sees few lists; one that sees many does not keep them all.
            if len(_opened) >= 8:
                _opened.clear()
            _opened[self.digest] = lists
        return lists

    def _open(self, number: int) -> RuleList:
        path = os.path.join(_folder(), f"tickbird-{self.digest}-{number}")
        name = self.names[number]
        try:
            if not os.path.exists(path):
                write_file(path, self.broadcast.value[number])
            return RuleList.open(path, name)
        except OSError:
            # Without room for the file each process has its own copy.
            return RuleList.from_bytes(self.broadcast.value[number], name)


def _folder() -> str:
    """Returns the executor's own folder: that of its blocks, which nobody else may write and which goes away with
    it, or else the one that it runs in.
    """
    for folder in os.environ.get("SPARK_LOCAL_DIRS", "").split(","):
        if os.path.basename(folder).startswith("blockmgr-") and os.path.isdir(folder):
            return folder
    from pyspark import SparkFiles

    return os.path.abspath(SparkFiles.getRootDirectory())


# The lists that this process, a worker of an executor, has opened.
_opened: dict[str, RuleLists] = {}
# The lists that were sent, by application and digest, so that they are sent once.
_sent: dict[tuple[str, str], _Shipped] = {}


def _ship(frame: DataFrame, lists: RuleLists) -> _Shipped:
    context = _context(frame)
    compiled = [each.to_bytes() for each in lists.lists]
    names = tuple(each.name for each in lists.lists)
    digest = hashlib.sha256()
    for name, content in zip(names, compiled):
        # Each with its length before it, so that no two sequences give the same bytes.
        for part in (os.fsencode(name), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    key = (context.applicationId, digest.hexdigest())
    for known in [each for each in _sent if each[0] != context.applicationId]:
        del _sent[known]
    if key not in _sent:
        _sent[key] = _Shipped(key[1], names, context.broadcast(compiled))
    return _sent[key]


def _context(frame: DataFrame) -> Any:
    if not hasattr(frame, "mapInArrow"):
        import pyspark

        if type(frame).__module__.startswith("pyspark."):
            raise RuntimeError(
                f"this is PySpark {pyspark.__version__}, whose frames have no mapInArrow; use 3.3 or later"
            )
        raise TypeError(f"{type(frame).__name__} is no frame of PySpark; give a pyspark.sql.DataFrame")
    if ".connect." in type(frame).__module__:
        raise RuntimeError(
            "frames of Spark Connect cannot send lists to executors; use a session of the cluster itself, as "
            "spark-submit gives it, or tickbird.duckdb or tickbird.arrow on one machine"
        )
    return frame.sparkSession.sparkContext


# Columns


def _chosen(
    frame: DataFrame, columns: dict[str, Optional[str]], every_type: Optional[str], line: Optional[str]
) -> dict[str, Optional[str]]:
    """Returns the column of each part of a load, having looked at names and types."""
    from pyspark.sql import types

    found = Columns(pa.schema([(name, pa.string()) for name in frame.columns]), columns, every_type)
    chosen: dict[str, Optional[str]] = {}
    for part, place in zip(found.parts, found.places):
        chosen[part] = None if place is None else frame.columns[place]
        if place is None:
            continue
        kind = frame.schema.fields[place].dataType
        if not isinstance(kind, (types.StringType, types.BinaryType, types.NullType)):
            raise TypeError(f"column {frame.columns[place]!r} is {kind.simpleString()}; it must be of strings")
    if line is not None:
        places = [place for place, name in enumerate(frame.columns) if name == line]
        if len(places) != 1:
            raise ValueError(f"there is no column {line!r}, or several; the columns are "
                             f"{', '.join(frame.columns)}")
        kind = frame.schema.fields[places[0]].dataType
        if not isinstance(kind, types.IntegralType):
            raise TypeError(f"column {line!r} is {kind.simpleString()}; the numbers of rows must be whole")
    return chosen


def _without_doubles(frame: DataFrame, names: Iterable[str]) -> None:
    """Raises if the frame has a column that differs from one of these in case alone, of which Spark takes no notice."""
    if frame.sparkSession.conf.get("spark.sql.caseSensitive", "false") == "true":
        return
    for name in names:
        for other in frame.columns:
            if other != name and other.lower() == name.lower():
                raise ValueError(
                    f"the frame has {other!r}, and Spark does not tell it from {name!r}; rename it, or set "
                    "spark.sql.caseSensitive to true"
                )


def _column(frame: DataFrame, name: str) -> Any:
    from pyspark.sql import functions

    quoted = "`" + name.replace("`", "``") + "`"
    kind = next(each.dataType for each in frame.schema.fields if each.name == name)
    column = functions.col(quoted)
    # Arrow has no column of a type that only nulls have.
    return column.cast("string") if kind.typeName() == "void" else column


# Tasks, which run in executors


class _Part(NamedTuple):
    """What was found in the partitions from ``first`` to ``last``."""

    first: int
    last: int
    findings: bytes

    def batch(self) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(
            [pa.array([value], field.type) for value, field in zip(self, _FINDINGS)], schema=_FINDINGS
        )


class _AuditTask:
    def __init__(
        self, shipped: _Shipped, log: str, fan_in: int, chosen: dict[str, Optional[str]],
        every_type: Optional[str], line: Optional[str],
    ) -> None:
        self.shipped = shipped
        self.log = log
        self.fan_in = fan_in
        self.chosen = chosen
        self.every_type = every_type
        self.line = line

    def count(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Counts the rows of a partition."""
        from pyspark import TaskContext

        made = Audit(self.shipped.open(), self.log)
        counter: Optional[Counter] = None
        for batch in batches:
            if counter is None:
                counter = Counter(
                    made, batch.schema, self.chosen, self.every_type, self.line and _LINE, self.line
                )
            counter.add(batch)
        context = TaskContext.get()
        place = context.partitionId() if context else 0
        yield _Part(place, place, zlib.compress(made.findings(), 1)).batch()

    def join(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Puts the findings of neighbouring partitions together."""
        groups: dict[int, list[_Part]] = {}
        for batch in batches:
            for row in batch.to_pylist():
                part = _Part(row["first"], row["last"], row["findings"])
                groups.setdefault(part.first // self.fan_in, []).append(part)
        for number, parts in sorted(groups.items()):
            made = Audit(self.shipped.open(), self.log)
            first = number * self.fan_in
            last = _merge(made, parts, first, 1)
            yield _Part(first, last, zlib.compress(made.findings(), 1)).batch()


class _DecideTask:
    def __init__(
        self, shipped: _Shipped, chosen: dict[str, Optional[str]], every_type: Optional[str], rules: bool,
        keep: bool, has_lists: bool,
    ) -> None:
        self.shipped = shipped
        self.chosen = chosen
        self.every_type = every_type
        self.rules = rules
        self.keep = keep
        self.results = ["blocked", "cookies_blocked", "makes_https"]
        if rules:
            self.results += ["rules", "lists"] if has_lists else ["rules"]
        self.results.append("fault")

    def decide(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Decides the rows of a partition."""
        numbers = pa.list_(pa.int32())
        chosen: dict[str, Any] = dict(self.chosen)
        for batch in decide_batches(
            self.shipped.open(), batches, every_type=self.every_type, rules=self.rules, keep=self.keep, **chosen,
        ):
            columns = dict(zip(batch.schema.names[-len(self.results):], batch.columns[-len(self.results):]))
            # Spark has no numbers without a sign.
            for name in {"rules", "lists"} & set(columns):
                columns[name] = columns[name].cast(numbers)
            kept = batch.num_columns - len(self.results)
            yield pa.RecordBatch.from_arrays(
                batch.columns[:kept] + list(columns.values()), names=batch.schema.names
            )


def _merge(made: Audit, parts: Iterable[_Part], first: int, fan_in: int) -> int:
    """Adds parts in the order of their partitions, each once; returns the last partition.

    A part ends where a partition of its group is the last; only the last part may be shorter than
    ``fan_in`` partitions.
    """
    expected = first
    seen: dict[int, _Part] = {}
    for part in sorted(parts, key=lambda part: part.first):
        if part.first in seen:
            # A task that ran twice has found the same twice.
            if part != seen[part.first]:
                raise RuntimeError(
                    f"partition {part.first} was counted twice, with different rows: the frame gives others each "
                    "time it is read; store it first, as by frame.write.parquet"
                )
            continue
        seen[part.first] = part
        if part.first != expected:
            raise RuntimeError(
                f"the findings of partition {expected} are missing; there are those of {part.first}"
            )
        made.merge(zlib.decompress(part.findings))
        expected = part.last + 1 if fan_in == 1 else part.first + fan_in
    return max((part.last for part in seen.values()), default=first - 1)
