// The package as it is installed, and its command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync, lstatSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";
import { native, packageFolder, root, runNative, tickbird } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "tickbird-command-"));
after(() => rmSync(folder, { recursive: true }));

const good = join(folder, "good.json");
const bad = join(folder, "bad.json");
writeFileSync(good, `[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}}]`);
writeFileSync(bad, "[{\"trigger\": {\"url-filter\": \"(\"}, \"action\": {\"type\": \"block\"}}]");

function run(args, options = {}) {
  const done = spawnSync(process.execPath, [join(packageFolder, "bin/tickbird.js"), ...args],
    { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28, ...options });
  return { status: done.status, output: done.stdout, errors: done.stderr };
}

test("check", () => {
  const fine = run(["check", "good.json"]);
  assert.deepEqual(fine, { status: 0, output: "good.json: accepted, 2 rules\n", errors: "" });
  const faulty = run(["check", "good.json", "bad.json"]);
  assert.equal(faulty.status, 1);
  assert.match(faulty.output, /^bad\.json:1:30: error: .* \[invalid-pattern\]$/m);
  assert.match(faulty.output, /^bad\.json: refused, 1 rule; 1 error$/m);
  const unread = run(["check", "none.json", "good.json"]);
  assert.equal(unread.status, 2);
  assert.equal(unread.errors,
    "tickbird: there is no file none.json; check the path, which is relative to the current folder\n");
  assert.equal(run(["check", "."]).errors,
    "tickbird: . cannot be read: it is a folder; give another file\n");
  assert.match(unread.output, /good\.json: accepted/);
  assert.equal(run(["check", "-"], { input: readFileSync(good) }).status, 0);
  writeFileSync(join(folder, "packed.json.gz"), gzipSync(readFileSync(good)));
  assert.equal(run(["check", "packed.json.gz"]).status, 0);
  const endless = run(["check", "/dev/zero"]);
  assert.equal(endless.status, 2);
  assert.match(endless.errors, /larger than 256 MB/);
  writeFileSync(join(folder, "bomb.gz"), gzipSync(Buffer.alloc(300 << 20)));
  assert.equal(run(["check", "bomb.gz"]).errors,
    "tickbird: bomb.gz cannot be read: it is larger than 256 MB; give another file\n");
  writeFileSync(join(folder, "cut.gz"), gzipSync(readFileSync(good)).subarray(0, 40));
  assert.match(run(["check", "cut.gz"]).errors,
    /^tickbird: cut\.gz cannot be read: it is not a whole gzip file \(.+\); give another file$/m);
  if (native !== null) {
    assert.equal(run(["check", "--format", "json", good, bad]).output,
      runNative("check", "--format", "json", good, bad).stdout.toString("utf8"));
  }
});

test("the package without its engine says so", () => {
  const place = join(folder, "bundled");
  cpSync(packageFolder, place, { recursive: true, filter: (source) => !source.endsWith(".wasm") });
  const done = spawnSync(process.execPath, [join(place, "bin/tickbird.js"), "--version"], { encoding: "utf8" });
  assert.notEqual(done.status, 0);
  assert.ok(done.stderr.includes(`Error: ${realpathSync(place)}/tickbird.wasm, the engine of the package "tickbird", `
    + "cannot be read (ENOENT); install the package again"), done.stderr);
});

test("what is shown cannot steer a terminal", () => {
  const path = join(folder, "steering\u001B[31m.json");
  writeFileSync(path, "[{\"trigger\": {\"url-filter\": \"a\", \"\u202E\u001B[2J\": 1}, \"action\": {\"type\": \"block\"}}]");
  const { output } = run(["check", path]);
  assert.doesNotMatch(output, /[\u001B\u202E]/);
});

test("compile", () => {
  const done = run(["compile", "good.json", "-o", "good.tickbird"]);
  assert.equal(done.status, 0, done.errors);
  const bytes = readFileSync(join(folder, "good.tickbird"));
  assert.equal(tickbird.open(bytes).ruleCount, 2);
  const refused = run(["compile", "bad.json", "-o", "good.tickbird"]);
  assert.equal(refused.status, 1);
  assert.match(refused.errors, /refused/);
  assert.ok(readFileSync(join(folder, "good.tickbird")).equals(bytes), "an older file stays as it is");
  const unwritten = run(["compile", "good.json", "-o", "none/good.tickbird"]);
  assert.equal(unwritten.status, 2);
  assert.equal(unwritten.errors, "tickbird: none/good.tickbird cannot be written: "
    + "no such file or directory; create its folder\n");
  symlinkSync("good.tickbird", join(folder, "link.tickbird"));
  assert.equal(run(["compile", "good.json", "-o", "link.tickbird"]).status, 0);
  assert.ok(lstatSync(join(folder, "link.tickbird")).isSymbolicLink());
  for (const other of [".", "/dev/null"]) {
    assert.match(run(["compile", "good.json", "-o", other]).errors, /no regular file/);
  }
  assert.ok(!statSync("/dev/null").isFile());
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith(".")), []);
});

test("explain", () => {
  const load = ["--url", "https://a.test/ads/ours/x", "--type", "script", "--page", "https://b.test/"];
  const done = run(["explain", "--list", "good.json", ...load]);
  assert.equal(done.status, 0, done.errors);
  assert.match(done.output, /^loaded: script https:\/\/a\.test\/ads\/ours\/x$/m);
  assert.match(done.output, /rule 0 \(good\.json:1:2\) block, matched "\/ads\/" at 14-19; cancelled by rule 1/);
  assert.equal(run(["compile", "good.json", "-o", "explained.tickbird"]).status, 0);
  assert.equal(JSON.parse(run(["explain", "--format", "json", "--list", "explained.tickbird", ...load]).output)
    .decided_by.rule, 1);
  if (native !== null) {
    assert.equal(run(["explain", "--format", "json", "--list", good, ...load]).output,
      runNative("explain", "--format", "json", "--list", good, ...load).stdout.toString("utf8"));
  }
  assert.equal(run(["explain", "--list", "bad.json", ...load]).status, 1);
  assert.match(run(["explain", "--list", "good.json", "--url", "x", "--type", "script"]).errors,
    /not an absolute URL/);
});

test("wrong use", () => {
  for (const args of [[], ["audit"], ["check"], ["check", "--fast", "a"], ["check", "--format", "xml", "a"],
    ["compile", "a"], ["compile", "a", "b", "-o", "c"], ["explain", "--list", "good.json"]]) {
    const { status, errors } = run(args);
    assert.equal(status, 2, args.join(" "));
    assert.match(errors, /usage: tickbird/);
  }
  assert.equal(run(["--help"]).status, 0);
  assert.equal(run(["--version"]).output, `${tickbird.version()}\n`);
});

const needsNPM = spawnSync("npm", ["--version"]).error !== undefined && "there is no npm";

test("npm installs the archive, offline, and npx runs it", { skip: needsNPM }, () => {
  const archive = join(packageFolder, "..", `tickbird-${tickbird.version()}.tgz`);
  const project = mkdtempSync(join(tmpdir(), "tickbird-project-"));
  try {
    const npm = (...args) => {
      const done = spawnSync(args[0], args.slice(1),
        { cwd: project, encoding: "utf8", env: { ...process.env, npm_config_cache: join(project, "cache") } });
      assert.equal(done.status, 0, `${args.join(" ")}: ${done.stderr}`);
      return done.stdout;
    };
    writeFileSync(join(project, "package.json"), "{\"private\": true, \"type\": \"module\"}");
    npm("npm", "install", "--offline", "--no-audit", "--no-fund", archive);
    symlinkSync(good, join(project, "list.json"));
    assert.equal(npm("npx", "--offline", "tickbird", "check", "list.json"), "list.json: accepted, 2 rules\n");
    writeFileSync(join(project, "use.js"), `import { readFileSync } from "node:fs";
      import { compile } from "tickbird";
      const list = compile(readFileSync("list.json"));
      console.log(list.decide({ url: "https://a.test/ads/", page: "https://b.test/", type: "image" }).blocked);`);
    assert.equal(npm("node", "use.js"), "true\n");
    // What npm itself would pack is the same.
    const files = JSON.parse(npm("npm", "pack", "--dry-run", "--json", packageFolder))[0].files
      .map(({ path }) => path).sort();
    const listed = spawnSync("tar", ["tzf", archive], { encoding: "utf8" }).stdout.trim().split("\n")
      .map((path) => path.replace(/^package\//, "")).sort();
    assert.deepEqual(files, listed);
  } finally {
    rmSync(project, { recursive: true });
  }
});

const needsTypes = spawnSync("tsc", ["--version"]).error !== undefined && "there is no tsc";

test("the types agree with their use", { skip: needsTypes }, () => {
  const path = join(root, "JavaScript/Tests/types");
  const done = spawnSync("tsc", ["--project", path], { encoding: "utf8" });
  assert.equal(done.status, 0, done.stdout);
});
