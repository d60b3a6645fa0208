"""Lets Brave's engine (the package `adblock`) decide requests; the reference of what filters do.

usage: brave-decide.py REQUESTS FILTERS…   (requests: a JSON array of [url, page, type])
       brave-decide.py --each REQUESTS     (a JSON array of [url, page, type, filters])

Prints a JSON array of [blocked, filter, exception].
"""

import json
import sys

import adblock

# The words of logs are those of this engine, but for these.
TYPES = {"fetch": "xmlhttprequest", "xhr": "xmlhttprequest", "texttrack": "media",
         "manifest": "other", "eventsource": "other"}


def engine(texts):
    # True keeps the filters' texts.
    filters = adblock.FilterSet(True)
    for text in texts:
        filters.add_filter_list(text)
    return adblock.Engine(filters)


def decide(asked, url, page, kind):
    try:
        result = asked.check_network_urls(url, page, TYPES.get(kind, kind))
    except Exception:  # An address that the engine does not take.
        return [None, None, None]
    return [result.matched, result.filter, result.exception]


def main(arguments):
    if arguments[:1] == ["--each"] and len(arguments) == 2:
        requests = json.load(open(arguments[1], encoding="utf-8"))
        answers = [decide(engine(["\n".join(filters)]), url, page, kind)
                   for url, page, kind, filters in requests]
    elif len(arguments) > 1:
        requests = json.load(open(arguments[0], encoding="utf-8"))
        asked = engine(open(path, encoding="utf-8").read() for path in arguments[1:])
        answers = [decide(asked, *request) for request in requests]
    else:
        sys.exit(__doc__)
    json.dump(answers, sys.stdout)


main(sys.argv[1:])
