"""Lets Brave's engine (the package `adblock`) decide a log of requests; prints the costs.

usage: brave-search.py LOG FILTERS…   (plain text)
"""

import json
import os
import statistics
import sys
import tempfile
import time
from importlib.metadata import version

import adblock

# The words of the log's crawler are those of this engine, but for these.
TYPES = {"fetch": "xmlhttprequest", "xhr": "xmlhttprequest", "texttrack": "media",
         "manifest": "other", "eventsource": "other"}


def peak():
    """The most memory that was resident; `resource` would count in the program before this one."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) * 1024


def main(log, *filters):
    with open(log, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    requests = [(row[0], row[1], TYPES.get(row[2], row[2])) for row in rows]
    texts = [open(path, encoding="utf-8").read() for path in filters]
    before = peak()

    start = time.thread_time()
    filter_set = adblock.FilterSet()
    for text in texts:
        filter_set.add_filter_list(text)
    engine = adblock.Engine(filter_set)
    seconds = time.thread_time() - start
    after = peak()

    def mean(check):
        passes = []
        for number in range(6):
            start = time.thread_time()
            for url, source, kind in requests:
                check(url, source, kind)
            if number:
                passes.append(time.thread_time() - start)
        return statistics.median(passes) * 1e9 / len(requests)

    matched = sum(engine.check_network_urls(*request).matched for request in requests)
    nanoseconds = mean(engine.check_network_urls)
    # What Python itself takes for the loop and a call.
    call = mean(lambda url, source, kind: None)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "engine")
        engine.serialize_to_file(path)
        size = os.path.getsize(path)
        opens = []
        for _ in range(5):
            start = time.perf_counter()
            other = adblock.Engine(adblock.FilterSet())
            other.deserialize_from_file(path)
            other.check_network_urls(*requests[0])
            opens.append(time.perf_counter() - start)
    print(json.dumps({
        "seconds": seconds, "peak": after, "before": before, "file": size, "matched": matched,
        "nanoseconds": nanoseconds, "call": call, "open": statistics.median(opens),
        "version": version("adblock"),
    }))


main(*sys.argv[1:])
