"""Whether a command stands still, and what it was at then."""

import os
import pathlib
import re
import time

# Nothing is printed, and next to nothing computed, for so many seconds by a command that waits for what never comes.
# The longest steps are silent for some minutes, but compute; downloads that wait as long may as well begin anew.
SECONDS = 600
COMPUTED = 10
TICKS = os.sysconf("SC_CLK_TCK")


class Watch:
    """Follows a command's output and the processor time of its processes."""

    def __init__(self, process, output):
        self.process = process
        self.output = output
        self.size = -1
        self.computed = 0
        self.since = time.monotonic()

    def stands_still(self):
        """Whether that lasts for too long; to be asked now and then."""
        size = os.fstat(self.output.fileno()).st_size
        computed = sum(each.seconds for each in processes(self.process))
        # Less than before where processes have ended whose parents are gone.
        if size != self.size or not 0 <= computed - self.computed < COMPUTED:
            self.size, self.computed, self.since = size, computed, time.monotonic()
        return time.monotonic() - self.since >= SECONDS


class Running:
    """A process, as the system shows it."""

    def __init__(self, folder):
        text = (folder / "stat").read_text(errors="replace")
        # The name, in parentheses, may have any characters.
        fields = text[text.rindex(")") + 2:].split()
        self.number = int(folder.name)
        self.state, self.parent = fields[0], int(fields[1])
        # With that of the children that it has waited for.
        self.seconds = sum(map(int, fields[11:15])) / TICKS
        self.folder = folder

    def __str__(self):
        words = self.part("cmdline").replace("\0", " ").strip() or self.part("comm").strip()
        waits = self.part("wchan").strip("0") or "?"
        return f"process {self.number} of {self.parent}: {self.state}, {self.seconds:.0f} s, in {waits}: {words[:200]}"

    def part(self, name):
        try:
            return (self.folder / name).read_text(errors="replace")
        except OSError:
            return ""


def processes(root):
    """A process with all that it has started, as far as they are there."""
    everything = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            everything.append(Running(folder))
        except (OSError, ValueError):
            continue
    found, known = [], {root}
    while True:
        more = [each for each in everything if each.number in known or each.parent in known]
        if len(more) == len(found):
            return more
        found, known = more, {each.number for each in more}


BEGUN = re.compile(r"^◇ Test (?!run |case )(.*) started\.$")
ENDED = re.compile(r"^\S Test (.*?)(?: with \d+ test cases?)? (?:passed|failed|skipped|was cancelled)\b")


def unfinished(text):
    """The tests of swift test that have begun in an output, and not ended."""
    names = {}
    for line in text.splitlines():
        if match := BEGUN.match(line):
            names[match[1]] = True
        elif match := ENDED.match(line):
            names.pop(match[1], None)
    return list(names)


def told(root, text):
    """Lines about what a command is at."""
    tests = [f"begun and not ended: {name}" for name in unfinished(text)]
    return tests[:40] + [str(each) for each in processes(root)][:40]
