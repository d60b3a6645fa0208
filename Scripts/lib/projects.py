"""What the scripts that try Xcode projects share: every extension of a checkout is imported, compiled and
started as a user would do it, and a trial says what became of it."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
POINTS = ("content-blocker", "shared-links", "web-extension", "app-extension")
# The longest time for one command.
PATIENCE = 600


class Trial:
    """What became of one extension."""

    def __init__(self, repository, target, kind):
        self.repository = repository
        self.target = target
        self.kind = kind
        self.imported = self.built = self.started = ""
        self.why = ""
        self.calls = 0
        self.seconds = 0.0

    def row(self):
        cells = [self.repository, self.target, self.kind, self.imported, self.built, self.started,
                 self.why]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


class Tester:
    def __init__(self, arguments):
        self.tickbird = str(pathlib.Path(arguments.tickbird).resolve())
        self.work = pathlib.Path(arguments.work).resolve()
        self.environment = dict(
            os.environ, TICKBIRD_HOME=str(self.work / "home"),
            TICKBIRD_HOST_PROGRAM=str(pathlib.Path(arguments.host).resolve()))

    def run(self, words, folder, log):
        """Runs tickbird; returns status, output and messages, and appends them to a log."""
        command = [self.tickbird, *words]
        try:
            done = subprocess.run(command, cwd=folder, env=self.environment, capture_output=True,
                                  text=True, errors="replace", timeout=PATIENCE)
            status, output, messages = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, output, messages = 124, "", f"nothing after {PATIENCE} s"
        with open(log, "a") as file:
            file.write(f"$ tickbird {' '.join(words)}\n{messages}{output}[status {status}]\n")
        return status, output, messages

    # One project.

    def project(self, repository, folder, given):
        """Tries all extensions of a repository."""
        place = self.work / repository.replace("/", "+")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        log = place / "log.txt"
        projects = [folder / given] if given else self.projects(folder)
        trials = []
        for project in projects:
            trials += filter(None, self.extensions(repository, project, place, log))
        if not trials:
            trial = Trial(repository, "", "")
            trial.why = "no extension of Safari's" if projects else "no .xcodeproj"
            trials.append(trial)
        return trials

    def projects(self, folder):
        """The projects of a repository that have app extensions, without those of its packages."""
        found = []
        for file in sorted(folder.rglob("*.xcodeproj/project.pbxproj")):
            parts = file.relative_to(folder).parts
            if {"Pods", "Carthage", "node_modules", "Submodules"} & set(parts):
                continue
            if "app-extension" in file.read_text(errors="replace"):
                found.append(file.parent)
        return found

    def extensions(self, repository, project, place, log):
        # As a user begins: in the project's folder, by the bare command. The result goes elsewhere, so
        # that the next run finds the project as it was.
        words = ["extension", "import", project.name, "--dry-run"]
        status, output, messages = self.run(words, project.parent, log)
        if "has no target that makes an app extension" in messages:
            return []
        if "choose one with --target" in messages:
            listed = re.findall(r"^  (.+?): (%s)(.*)$" % "|".join(POINTS),
                                messages, re.M)
            targets = self.without_variants(listed)
            return [self.extension(repository, project, place, log, target, kind, "asked which")
                    for target, kind in targets]
        match = re.search(r"^tickbird: (.+?) \((%s)" % "|".join(POINTS), messages, re.M)
        if match and status in (0, 1):
            return [self.extension(repository, project, place, log, match[1], match[2], "")]
        if "has no extension that can be taken" in messages:
            return []
        trial = Trial(repository, project.stem, "")
        trial.imported = "no"
        trial.why = self.reason(messages)
        return [trial]

    @staticmethod
    def without_variants(listed):
        """One target for each extension: of those for several systems the one for macOS."""
        chosen, dropped = [], set()
        for name, kind, rest in sorted(listed, key=lambda each: "macOS" not in each[2]):
            if name in dropped:
                continue
            chosen.append((name, kind))
            others = rest.split("the same extension as", 1)
            dropped.update(re.findall(r'"([^"]+)"', others[1]) if len(others) > 1 else [])
        return chosen

    def extension(self, repository, project, place, log, target, kind, note):
        trial = Trial(repository, target, kind)
        folder = place / re.sub(r"[^A-Za-z0-9]+", "-", f"{project.stem} {target}")
        words = ["extension", "import", project.name, "--output", str(folder)]
        if note:
            words += ["--target", target]
        status, _, messages = self.run(words, project.parent, log)
        if status not in (0, 1):
            trial.imported, trial.why = "no", self.reason(messages)
            return trial
        count = re.search(r"(\d+) not taken", messages)
        trial.imported = "yes" if status == 0 else f"but for {count[1] if count else 'parts'}"
        began = time.monotonic()
        status, output, messages = self.run(["extension", "build", str(folder)], place, log)
        trial.seconds = time.monotonic() - began
        if status != 0:
            trial.built, trial.why = "no", self.compiler_error(messages)
            return trial
        trial.built = "yes"
        self.start(trial, output.strip().splitlines()[-1], kind, log, place)
        return trial

    def start(self, trial, bundle, kind, log, place):
        status, output, messages = self.run(["extensions", "install", "--share-groups", bundle],
                                            place, log)
        if status != 0:
            trial.started, trial.why = "no", self.reason(messages)
            return
        found = re.search(r"[A-Za-z0-9.-]+\.[A-Za-z0-9.-]*[A-Za-z0-9]", output.replace("installed", ""))
        identifier = found[0] if found else ""
        status, output, messages = self.run(["extensions", "on", identifier], place, log)
        if kind == "web-extension" and status == 0:
            status, output, messages = self.run(
                ["extensions", "ask", identifier, '{"name": "ping", "message": "ping"}'], place, log)
        elif kind == "app-extension" and status == 0:
            # As a click does; a handler that uses the button calls the browser.
            status, output, messages = self.run(
                ["extensions", "ask", identifier, '{"event": "toolbarItemClicked", "window": "1"}'],
                place, log)
            trial.calls = len(re.findall(r'"type"\s*:\s*"call"', output))
        elif kind == "shared-links" and status == 0:
            status, output, messages = self.run(["extensions", "links", identifier], place, log)
        _, printed, _ = self.run(["extensions", "log", identifier], place, log)
        self.run(["extensions", "remove", identifier], place, log)
        # A process that ran until it had nothing to say was started: a handler that does not know the
        # message, or waits for what its app writes.
        crashed = re.search(r"crashed|cannot be executed|killed|exited", messages)
        trial.started = "answers" if status == 0 else "no" if crashed else "runs"
        if kind == "app-extension" and status == 0:
            ended = re.search(r"host: the handler ended by itself: (.*)", printed)
            trial.started = "no" if ended else "calls" if trial.calls else "runs"
            trial.why = ended[1] if ended else ""
        if status != 0:
            line = re.search(r"printed: (?:\S*/)?(\S+\.swift:\d+: Fatal error: .*)", printed)
            trial.why = line[1] if line else self.reason(messages)

    # Why something failed.

    @staticmethod
    def reason(messages):
        errors = [line for line in messages.splitlines() if "error:" in line]
        text = (errors[-1:] + messages.splitlines()[:1] + ["no message"])[0]
        return re.sub(r"^tickbird[a-z -]*: (error: )?", "", text)[:200]

    @staticmethod
    def compiler_error(messages):
        errors = re.findall(r"^\S*?([^/\s]+\.swift:\d+):\d+: error: (.*)$", messages, re.M)
        if errors:
            return f"{errors[0][0]}: {errors[0][1]}"[:200]
        return Tester.reason(messages)


def read_list(path):
    """The repositories of a list: (name, folder of the project)."""
    rows = []
    for line in path.read_text().splitlines():
        fields = line.split("#")[0].split(None, 1)
        if fields:
            rows.append((fields[0], fields[1].strip() if len(fields) > 1 else ""))
    return rows


def parser_of(description, work):
    """The arguments that the scripts share."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=argparse.SUPPRESS)
    parser.add_argument("--tickbird", default=str(ROOT / ".build/debug/tickbird"))
    parser.add_argument("--host", default=str(ROOT / "Service/.build/debug/tickbird-host"))
    parser.add_argument("--work", default=work)
    parser.add_argument("--only", default="")
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("checkouts", type=pathlib.Path)
    return parser


def try_all(parser, arguments, make_tester):
    """Tries all repositories of the list, and returns the trials."""
    for program in (arguments.tickbird, arguments.host):
        if not os.access(program, os.X_OK):
            parser.error(f"there is no program {program}")
    tester = make_tester(arguments)
    tester.work.mkdir(parents=True, exist_ok=True)
    trials = []
    for repository, given in read_list(arguments.list):
        if arguments.only not in repository:
            continue
        folder = arguments.checkouts / repository.replace("/", "+")
        if not folder.is_dir():
            print(f"{parser.prog}: {repository} is not in {arguments.checkouts}", file=sys.stderr)
            continue
        for trial in tester.project(repository, folder.resolve(), given):
            print(trial.row(), f"{trial.seconds:.0f} s", file=sys.stderr, flush=True)
            trials.append(trial)
    return trials
