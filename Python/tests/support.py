"""What tests of audits share: a log with bad rows, and the plain command."""

import gzip
import os
import pathlib

import tickbird

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = os.environ.get("TICKBIRD_SHARED") or ROOT.parent / "shared"
DATA = pathlib.Path(SHARED, "data")
# The command of the same sources, where it was built.
COMMAND = ROOT / ".build/release/tickbird"
COLUMNS = ["url", "top_url", "frame_url", "resource_type", "load_type", "load_context", "method"]

RULES = """[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/[0-9]*5"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}},
 {"trigger": {"url-filter": "/track", "load-type": ["third-party"]}, "action": {"type": "block-cookies"}},
 {"trigger": {"url-filter": ".*", "if-domain": ["*news3.test", "xn--blg-sna.test"]},
  "action": {"type": "css-display-none", "selector": ".werbung-ü"}},
 {"trigger": {"url-filter": "nowhere"}, "action": {"type": "block"}}]"""
MORE = """[{"trigger": {"url-filter": "[13579]$"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "^http:"}, "action": {"type": "make-https"}}]"""


def lists():
    """Two lists with names."""
    return tickbird.RuleLists([tickbird.compile(RULES, "ads.json"), tickbird.compile(MORE, "über.json")])


def rows(count):
    """Rows of which some are bad, as dictionaries; the same each time."""
    made = []
    for number in range(count):
        url = ("https", "http")[number % 5 == 0] + f"://cdn{number % 7}.test/"
        url += ("ads/", "ads/ours/", "track/", "é/", "")[number * 7 % 5] + str(number * 31 % 97)
        row = {"url": url, "top_url": f"https://news{number % 11}.test/", "resource_type": "script",
               "load_type": ("-", None, "third-party")[number % 3]}
        if number % 13 == 0:
            row["top_url"] = "https://blög.test/"
        if number % 17 == 0:
            row["resource_type"] = "document"
        if number % 41 == 5:
            row["url"] = ("not a url", None, "", "https://a.test/\tads/\n1")[number % 4]
        if number % 59 == 7:
            row["resource_type"] = ("skript", None, "scr\tipt")[number % 3]
        made.append(row)
    return made


def log(made):
    """The rows as the lines of a log without names of columns, in bytes."""
    def cell(row, name):
        text = row.get(name) or ""
        blank = "" if name.endswith("url") else " "
        for character in "\t\n\r":
            text = text.replace(character, blank)
        return text

    return "".join("\t".join(cell(row, name) for name in COLUMNS) + "\n" for row in made).encode()


def forms(audit):
    """All forms of an audit, to be compared byte for byte."""
    return {
        "text": audit.text(unmatched=True), "short": audit.text(top=3), "json": audit.json(),
        "rules": audit.csv(unmatched=True), "sites": audit.csv("site"), "pairs": audit.csv("rule-site"),
    }


def real_list(name):
    """A list of the shared data."""
    path = DATA / f"lists/{name}.json.gz"
    with gzip.open(path) as file:
        return tickbird.compile(file.read(), name)
