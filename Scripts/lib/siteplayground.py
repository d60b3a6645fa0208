"""The engine of the playground: its module and a worker's script in one script that also loads from files.

Pages from files may load scripts, but neither fetch a module nor start a worker from another file."""

import base64
import gzip
import json
import re

from sitedocuments import ROOT, SiteError

SITE = ROOT / "Site"
PACKAGE = ROOT / "JavaScript"


def add(folder, module):
    """Writes `site/playground-engine.js`, which calls `tickbirdEngine` with both."""
    code = module.read_bytes()
    if code[:4] != b"\0asm":
        raise SiteError(f"{module} is no WebAssembly module")
    # Without a date, the same module makes the same file.
    packed = base64.b64encode(gzip.compress(code, 9, mtime=0)).decode()
    text = json.dumps({"worker": bundle("playground-worker.js"), "module": packed}, separators=(",", ":"))
    (folder / "site/playground-engine.js").write_text(f"tickbirdEngine({text});\n")


def bundle(entry):
    """One script of a module and what it imports, each in a function of its own.

    For the forms of import and export that the package uses; any other one is an error."""
    done = {}
    order = []

    def visit(name):
        if name in done:
            return
        done[name] = None
        path = SITE / "worker" / name
        # What is not the site's own is the package's.
        path = path if path.is_file() else PACKAGE / name
        try:
            text = path.read_text()
        except FileNotFoundError as error:
            raise SiteError(f"the playground needs {path}") from error
        done[name] = translated(text, name, visit)
        order.append(name)

    visit(entry)
    parts = [f"known[{json.dumps(name)}] = ((exported) => {{\n{done[name]}\nreturn exported;\n}})({{}});"
             for name in order]
    return '"use strict";\nconst known = {};\n' + "\n".join(parts) + "\n"


def translated(text, name, visit):
    folder = name.rpartition("/")[0]

    def place(address):
        # Paths of the package begin at the package, or in the folder of the module.
        found = address.removeprefix("./")
        found = found if not folder else f"{folder}/{found}"
        visit(found)
        return json.dumps(found)

    def imported(found):
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = known[{place(found[2])}];"

    def passed_on(found):
        source = place(found[2])
        return "".join(f"exported.{each} = known[{source}].{each};" for each in re.findall(r"\w+", found[1]))

    text = re.sub(r'^import \{([^}]*)\} from "([^"]*)";', imported, text, flags=re.MULTILINE)
    text = re.sub(r'^export \{([^}]*)\} from "([^"]*)";', passed_on, text, flags=re.MULTILINE)
    names = re.findall(r"^export (?:class|(?:async )?function\*?|const) (\w+)", text, flags=re.MULTILINE)
    text = re.sub(r"^export (?=(?:class|(?:async )?function|const) )", "", text, flags=re.MULTILINE)
    rest = re.search(r"^(import|export)\b.*", text, flags=re.MULTILINE)
    if rest:
        raise SiteError(f"{name}: the playground's script cannot be made of “{rest[0]}”")
    return text + "".join(f"\nexported.{each} = {each};" for each in names)
