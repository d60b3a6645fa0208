"""Runs the steps of Scripts/check side by side, each when those before it have ended."""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

import standstill

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
# In the place of the exit status of a command that was ended because it stood still.
STOOD_STILL = "stood still"


@dataclasses.dataclass(frozen=True)
class Step:
    """Commands that check one thing, one after the other."""

    name: str
    about: str
    commands: tuple
    # The steps whose products this one uses; those that are not asked for are built before it.
    uses: tuple = ()
    # The steps that this one follows if they are asked for.
    after: tuple = ()
    # What only one step may use at a time, such as a build folder.
    holds: tuple = ()
    environment: tuple = ()
    # How many processors it keeps busy, about.
    share: float = 1
    # Whether the other steps may pass without it where time runs out.
    can_be_left: bool = False


@dataclasses.dataclass
class Outcome:
    """How a step ended."""

    word: str  # "passed", "skipped", "failed" or "not run"
    seconds: float = 0
    processor: float = 0
    # Why it did not pass, or what else is to be known.
    reason: str = ""
    # The lines of a failed step that tell what failed.
    excerpt: tuple = ()


class Interrupted(Exception):
    """The user or the system wants the run to end."""


class Runner:
    """Runs steps side by side, each when those before it have ended."""

    def __init__(self, chosen, jobs, minutes=None):
        """Steps that can be left do not begin after some minutes."""
        self.chosen = chosen
        self.jobs = jobs
        self.minutes = minutes
        self.alone = len(chosen) == 1
        self.begun = time.monotonic()
        self.outcomes = {}
        # Of a lock that its holder may take again, to print.
        self.changed = threading.Condition(threading.RLock())
        self.running = {}
        self.processes = set()
        # Where processes print, unless that is where this one does.
        self.outputs = {}
        self.ended = False

    def run(self):
        threads = []
        try:
            while len(self.outcomes) < len(self.chosen):
                step = self.next_step()
                if step is None:
                    continue
                thread = threading.Thread(target=self.finish, args=(step,))
                threads.append(thread)
                thread.start()
        except BaseException:
            self.stop()
            raise
        finally:
            for thread in threads:
                thread.join()
        return self.outcomes

    def next_step(self):
        """A step that can begin; None after a second in which there was none."""
        with self.changed:
            waiting = [step for step in self.chosen
                       if step.name not in self.outcomes and step.name not in self.running]
            for step in waiting:
                reason = self.hindrance(step)
                if reason:
                    self.outcomes[step.name] = reason
                    self.changed.notify_all()
                elif self.has_turn(step) and self.can_begin(step, waiting):
                    self.running[step.name] = step
                    return step
            # Not longer, so that a signal is handled soon.
            self.changed.wait(1)
            return None

    def hindrance(self, step):
        """The outcome of a step that cannot run: another one has made nothing, or no time is left."""
        for name in step.uses:
            before = self.outcomes.get(name)
            if before and before.word == "skipped":
                return Outcome("skipped", reason=f"{name} was skipped")
            if before and before.word != "passed":
                return Outcome("not run", reason=f"{name} has not passed")
        late = self.minutes is not None and time.monotonic() - self.begun > self.minutes * 60
        if late and step.can_be_left:
            return Outcome("skipped", reason=f"{self.minutes} minutes are over; run Scripts/check {step.name}")
        return None

    def has_turn(self, step):
        return sum(each.share for each in self.running.values()) + step.share <= self.jobs

    def can_begin(self, step, waiting):
        unfinished = {other.name for other in waiting} | set(self.running)
        held = {each for other in self.running.values() for each in other.holds}
        return not unfinished & set(step.uses + step.after) and not held & set(step.holds)

    def finish(self, step):
        outcome = Outcome("failed", reason="Scripts/check itself failed")
        try:
            outcome = self.result(step)
        finally:
            with self.changed:
                self.outcomes[step.name] = outcome
                del self.running[step.name]
                self.changed.notify_all()

    def result(self, step):
        self.say(f"== {step.name}: {step.about} ({time.monotonic() - self.begun:.0f} s)")
        start = time.monotonic()
        environment = dict(os.environ)
        for name, value in step.environment:
            # A file that an earlier step makes is named only when it was made.
            if not value.startswith("/") or os.path.exists(value):
                environment[name] = value
        outcome = Outcome("passed")
        with tempfile.TemporaryFile() as output:
            for command in step.commands:
                status, processor = self.command(command, environment, output)
                outcome.processor += processor
                if status == STOOD_STILL:
                    outcome.reason = f"stood still, and was run once more: {command}"
                    status, processor = self.command(command, environment, output)
                    outcome.processor += processor
                before = f"; before that it {outcome.reason}" if outcome.reason else ""
                if status == SKIPPED:
                    outcome.word, outcome.reason = "skipped", command
                elif status:
                    how = status if status == STOOD_STILL else f"exit status {status}"
                    outcome.word, outcome.reason = "failed", f"{how}: {command}{before}"
                    break
            outcome.seconds = time.monotonic() - start
            self.report(step, outcome, output)
        return outcome

    def command(self, command, environment, output):
        """Runs a command and returns its exit status, or STOOD_STILL, and the seconds of processor time."""
        with self.changed:
            if self.ended:
                return 1, 0
            # A session of its own, so that all its children can be ended with it.
            process = subprocess.Popen(
                command, shell=True, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                stdout=None if self.alone else output,
                stderr=None if self.alone else subprocess.STDOUT, start_new_session=True)
            self.processes.add(process)
            if not self.alone:
                self.outputs[process] = output
        stood_still = False
        try:
            if not self.alone and standstill.can_be_told():
                stood_still = self.stands_still(process, output)
        except OSError as error:
            # What it is at cannot be found out: it is waited for.
            self.say(f"check: a command is not watched: {error}")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        with self.changed:
            self.processes.discard(process)
            self.outputs.pop(process, None)
        return STOOD_STILL if stood_still else process.returncode, used.ru_utime + used.ru_stime

    def stands_still(self, process, output):
        """Waits until a command has ended, or ends one that stands still; whether it did."""
        watch = standstill.Watch(process.pid, output)
        looked = time.monotonic()
        # It is not reaped, so that its number stays its own.
        while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            time.sleep(0.1)
            if time.monotonic() - looked < 10:
                continue
            looked = time.monotonic()
            if watch.stands_still():
                self.tell(process, output, "it stood still, and was ended")
                standstill.end(process.pid)
                return True
        return False

    def tell(self, process, output, why):
        """Writes into a step's output what its command is at, as far as that can be found out."""
        try:
            lines = [f"check: {why}: {line}" for line in standstill.told(process.pid, read(output))]
            # At the end, to which commands write as well.
            os.write(output.fileno(), ("\n" + "\n".join(lines) + "\n").encode())
        except (OSError, ValueError) as error:
            self.say(f"check: {why}, and cannot be told: {error}")

    def report(self, step, outcome, output):
        if self.alone:
            return
        text = read(output)
        if outcome.word == "failed":
            outcome.excerpt = excerpt(text)
        minutes = f"{outcome.seconds:.0f} s, {outcome.processor:.0f} s of processor time"
        self.say(f"{text.rstrip()}\n== {step.name} {outcome.word} after {minutes}")

    def say(self, text):
        with self.changed:
            print(text, flush=True)

    def stop(self):
        """Ends what runs, with its children: by a request, and by force five seconds later."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        # No step ends its output meanwhile.
        with self.changed:
            self.ended = True
            if standstill.can_be_told():
                for process, output in self.outputs.items():
                    self.tell(process, output, "it was interrupted")
            groups = [process.pid for process in self.processes]
        for number, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 0)):
            for group in groups:
                try:
                    os.killpg(group, number)
                except ProcessLookupError:
                    pass
            limit = time.monotonic() + seconds
            while self.processes and time.monotonic() < limit:
                time.sleep(0.1)


def read(output):
    """All of a file that others append to."""
    size = os.fstat(output.fileno()).st_size
    return os.pread(output.fileno(), size, 0).decode(errors="replace")


# How swift test, compilers, shell scripts and Python's unittest begin or mark what failed.
FAILURE = re.compile(r"^check: it |^\s*✘|^\s*↳(?! Testing Library| Target Platform)|^not ok"
                     r"|^(?!\s*[◇✔]).*(\b(error|fatal|failed|FAIL|Error)\b.*:|\bcrash|\bsignal\b)")
EXCERPT_LINES = 60


def excerpt(text):
    """The lines of a step's output that look like failures, and its last ones, as they came."""
    lines = text.rstrip().splitlines()
    told = [line for line in lines[:-5] if FAILURE.search(line)][:EXCERPT_LINES]
    return tuple(line[:400] for line in told + lines[-5:])
