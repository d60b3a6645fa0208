"""Safari's content-blocker rule lists, decided exactly as WebKit decides them.

    import tickbird

    rules = tickbird.compile(b'[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]')
    rules.decide("https://cdn.test/ads/a.js", "https://news.test/", "script").blocked  # True

Logs in Arrow tables go through the engine without a loop in Python: ``RuleList.decide_table``.
"""

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

__all__ = [
    "CompiledListError", "Decision", "Diagnostic", "LoadError", "RefusedError", "Report", "RuleList",
    "RuleLists", "__version__", "check", "compile", "report",
]
