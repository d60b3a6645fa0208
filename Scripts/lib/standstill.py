"""Whether a command stands still, what it is at, and how it is ended with all that it has started."""

import collections
import os
import pathlib
import re
import signal
import time

# Nothing is printed, and next to nothing computed, for so many seconds by a command that waits for what never comes.
# Longer than a download may take: mmdebstrap and pip are silent for up to 15 minutes.
SECONDS = 1200
COMPUTED = 10
# What a look counts at most, since the machine may have slept.
LOOK = 30
TICKS = os.sysconf("SC_CLK_TCK")


def can_be_told():
    """Whether the system shows what processes are at, as Linux does."""
    return os.path.exists("/proc/self/stat") and hasattr(os, "waitid")


class Watch:
    """Follows a command's output and the processor time of its processes."""

    def __init__(self, root, output):
        self.root = root
        self.output = output
        self.size = -1
        self.computed = 0
        self.still = 0
        self.looked = time.monotonic()

    def stands_still(self):
        """Whether it has done so for too long; to be asked every few seconds."""
        now = time.monotonic()
        self.still += min(now - self.looked, LOOK)
        self.looked = now
        size = os.fstat(self.output.fileno()).st_size
        computed = sum(each.seconds for each in processes(self.root))
        # It is less than before where processes have ended whose parents are gone.
        if size != self.size or not 0 <= computed - self.computed < COMPUTED:
            self.size, self.computed, self.still = size, computed, 0
        return self.still >= SECONDS


class Running:
    """A process, as the system shows it."""

    def __init__(self, folder):
        text = (folder / "stat").read_text(errors="replace")
        # The name, in parentheses, may have any characters.
        fields = text[text.rindex(")") + 2:].split()
        self.number = int(folder.name)
        self.state, self.parent, self.session = fields[0], int(fields[1]), int(fields[3])
        # With that of the children that it has waited for.
        self.seconds = sum(map(int, fields[11:15])) / TICKS
        self.folder = folder

    def __str__(self):
        words = part(self.folder / "cmdline").replace("\0", " ").strip() or part(self.folder / "comm").strip()
        return (f"process {self.number} of {self.parent}: {self.state}, {self.seconds:.0f} s, {self.waits()}: "
                f"{words[:200]}")

    def waits(self):
        """In which calls its threads wait."""
        calls = collections.Counter(part(each / "wchan").strip("0") or "no call"
                                    for each in (self.folder / "task").glob("*"))
        return ", ".join(f"{count} in {call}" for call, count in calls.most_common(5)) or "gone"


def part(file):
    try:
        return file.read_text(errors="replace")
    except OSError:
        return ""


def processes(root):
    """A process with those of its session and all that they have started, as far as they are there."""
    everything = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            everything.append(Running(folder))
        except (OSError, ValueError):
            continue
    found, known = [], {root}
    while True:
        more = [each for each in everything
                if each.session == root or each.number in known or each.parent in known]
        if len(more) == len(found):
            return more
        found, known = more, {each.number for each in more}


def end(root):
    """Ends a command with all that it has started: by a request, and by force five seconds later."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for each in processes(root):
            try:
                os.kill(each.number, number)
            except (ProcessLookupError, PermissionError):
                pass
        limit = time.monotonic() + 5
        while time.monotonic() < limit and any(each.state != "Z" for each in processes(root)):
            time.sleep(0.1)


TEST = r"Test (\".*\"|\S+\(.*\))"
BEGUN = re.compile(rf"^◇ {TEST} started\.$", re.MULTILINE)
ENDED = re.compile(rf"[✔✘➜] {TEST}(?: with \d+ test cases?)? (?:passed|failed|skipped|was cancelled)\b")
NAMED = 12


def unfinished(text):
    """A line about tests of swift test that have begun in an output, and not ended; empty if there are none.

    Swift's tests are told to begin long before they do where few run at a time. So many names say nothing.
    """
    open_ones = collections.Counter(match[1] for match in BEGUN.finditer(text))
    open_ones.subtract(match[1] for match in ENDED.finditer(text))
    names = [name for name, count in open_ones.items() if count > 0]
    if not names:
        return []
    shown = ": " + "; ".join(names) if len(names) <= NAMED else ""
    return [f"tests that have begun and not ended: {len(names)}{shown}"]


def told(root, text):
    """Lines about what a command is at."""
    found = sorted(processes(root), key=lambda each: (each.state == "Z", each.number))
    more = [f"and {len(found) - NAMED} more processes"] if len(found) > NAMED else []
    return unfinished(text) + [str(each) for each in found[:NAMED]] + more
