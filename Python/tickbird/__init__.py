"""Safari's content-blocker rule lists, decided exactly as WebKit decides them.

    import tickbird

    rules = tickbird.compile(b'[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]')
    rules.decide("https://cdn.test/ads/a.js", "https://news.test/", "script").blocked  # True

Logs in Arrow tables go through the engine without a loop in Python: ``RuleList.decide_table``, and
``tickbird.arrow.audit_batches`` for a report about all of them. ``tickbird.spark`` and ``tickbird.duckdb`` do the
same where the rows are.
"""

from ._audits import Audit
from ._lists import (
    CompiledListError,
    Diagnostic,
    RefusedError,
    Report,
    RuleList,
    RuleLists,
    check,
    compile,
    report,
)
from ._native import Decision, LoadError
from ._native import version as __version__

from ._sources import Lists, open_lists

__all__ = [
    "Audit", "CompiledListError", "Decision", "Diagnostic", "Lists", "LoadError", "RefusedError", "Report",
    "RuleList", "RuleLists", "__version__", "check", "compile", "open_lists", "report",
]
