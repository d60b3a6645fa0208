"""Manual pages, made of the help of a program that uses Swift's ArgumentParser."""

import gzip
import json
import subprocess


def help_of(program):
    """The program's help as ArgumentParser describes it: its commands with their arguments."""
    output = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True)
    return json.loads(output.stdout)["command"]


def pages(command, version, date, extra=None):
    """All pages of a program: {file name: text}.

    `extra` has commands of other programs by their names; each takes the place of the program's own
    command of that name.
    """
    found = {}
    _add(command, [], version, date, extra or {}, found)
    return found


def write(folder, texts):
    """Writes pages into a folder for section 1, compressed without names and times."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sorted(texts.items()):
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _add(command, above, version, date, extra, found):
    names = above + [command["commandName"]]
    if len(names) == 2:
        command = {**command, **extra.get(names[1], {}), "commandName": names[1]}
    subcommands = [each for each in command.get("subcommands", [])
                   if each["commandName"] != "help" and each.get("shouldDisplay", True)]
    found[_title(names) + ".1"] = _page(command, names, subcommands, version, date)
    for each in subcommands:
        _add(each, names, version, date, extra, found)


def _page(command, names, subcommands, version, date):
    title = _title(names)
    lines = [
        f'.TH {_text(title.upper())} 1 "{date}" "Tickbird {version}" "User Commands"',
        ".SH NAME",
        f"{_text(title)} \\- {_text(_first_sentence(command.get('abstract', '')))}",
        ".SH SYNOPSIS",
        f".B {_text(' '.join(names))}",
        _text(_synopsis(command, subcommands)),
    ]
    description = [command.get("abstract", ""), command.get("discussion", "")]
    if any(description):
        lines.append(".SH DESCRIPTION")
        lines += _paragraphs("\n\n".join(each for each in description if each))
    arguments = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    if arguments:
        lines.append(".SH OPTIONS")
        for each in arguments:
            lines += _argument(each)
    if subcommands:
        lines.append(".SH COMMANDS")
        for each in subcommands:
            lines += [".TP", f".BR {_text(_title(names + [each['commandName']]))} (1)",
                      _text(each.get("abstract", "") or each["commandName"])]
    above = names[:-1]
    if above:
        lines += [".SH SEE ALSO", f".BR {_text(_title(above))} (1)"]
    return "\n".join(lines) + "\n"


def _title(names):
    return "-".join(names).replace(" ", "-")


def _first_sentence(text):
    return (" ".join(text.split()).split(". ")[0] or "a command of Tickbird").rstrip(".")


def _synopsis(command, subcommands):
    words = []
    for each in command.get("arguments", []):
        if not each.get("shouldDisplay", True) or each["kind"] != "positional":
            continue
        word = f"<{each.get('valueName', 'value')}>" + (" ..." if each.get("isRepeating") else "")
        words.append(f"[{word}]" if each.get("isOptional") else word)
    if any(each["kind"] != "positional" for each in command.get("arguments", [])):
        words.insert(0, "[options]")
    if subcommands:
        words.append("<command>")
    return " ".join(words)


def _argument(argument):
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        head = f"<{value}>"
    else:
        names = sorted((_option(each) for each in argument.get("names") or []), key=len)
        head = ", ".join(names) + (f" <{value}>" if argument["kind"] == "option" else "")
    text = argument.get("abstract", "")
    if argument.get("defaultValue"):
        text = f"{text} (default: {argument['defaultValue']})".strip()
    lines = [".TP", f".B {_text(head)}"]
    lines += _paragraphs(text or " ", within=True)
    if argument.get("discussion"):
        lines += [".IP"] + _paragraphs(argument["discussion"], within=True)
    return lines


def _option(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def _paragraphs(text, within=False):
    lines = []
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number > 0:
            lines.append(".IP" if within else ".PP")
        # Indented lines are examples, which keep their form.
        if all(line.startswith("  ") for line in paragraph.split("\n")):
            lines += [".nf"] + [_text(line) for line in paragraph.split("\n")] + [".fi"]
        else:
            lines += [_text(line.strip()) for line in paragraph.split("\n")]
    return lines


def _text(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text
