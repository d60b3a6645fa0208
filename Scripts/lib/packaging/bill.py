"""The bill of materials of what is packed, as SPDX 2.3."""

import hashlib
import json
import time

# How the kinds of Scripts/dependencies.txt are named by SPDX.
RELATIONS = {"package": "STATIC_LINK", "part": "STATIC_LINK", "library": "DYNAMIC_LINK",
             "program": "RUNTIME_DEPENDENCY_OF"}


def of(dependencies, version, licences, files, date):
    """The bill as text.

    `dependencies` are the lines of Scripts/dependencies.txt as (kind, name, version, licence, uses),
    `licences` the project's own licence, `files` the packed programs by their names.
    """
    packages = [{
        "name": "tickbird", "SPDXID": "SPDXRef-tickbird", "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licences,
        "licenseDeclared": licences, "copyrightText": "NOASSERTION",
        "checksums": [], "primaryPackagePurpose": "APPLICATION",
    }]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-tickbird"}]
    for kind, name, number, licence, uses in dependencies:
        used = [each for each in uses if each in files]
        if not used:
            continue
        reference = f"SPDXRef-{kind}-{''.join(c if c.isalnum() else '-' for c in name)}"
        declared = "NOASSERTION" if licence in NOT_SPDX else licence
        packages.append({
            "name": name, "SPDXID": reference, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": declared, "licenseDeclared": declared,
            "copyrightText": "NOASSERTION",
            **({} if number == "-" else {"versionInfo": number}),
            "comment": f"used by {', '.join(used)}; licence: {licence}",
        })
        relation = RELATIONS[kind]
        ends = ((reference, "SPDXRef-tickbird") if relation.endswith("_OF")
                else ("SPDXRef-tickbird", reference))
        relations.append({"spdxElementId": ends[0], "relationshipType": relation,
                          "relatedSpdxElement": ends[1]})
    digests = "".join(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
                      for name, path in sorted(files.items()))
    name = hashlib.sha256((version + digests).encode()).hexdigest()
    packages[0]["comment"] = "SHA-256 of the programs:\n" + digests
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tickbird-{version}",
        "documentNamespace": f"https://tickbird.example/spdx/{version}-{name}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(date)),
                         "creators": ["Tool: Scripts/package"]},
        "packages": packages, "relationships": relations,
    }, indent=1) + "\n"


# What the list says in words that are no SPDX expressions.
NOT_SPDX = {"GPL-3-with-GCC-exception", "public-domain", "Unicode"}
