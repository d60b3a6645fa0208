// The vectors and WebKit's decisions in Chromium and Firefox, which open a page that runs them.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import test from "node:test";
import { dataFolder, dataText, listNames, packageFolder, root, vectorFolders } from "./support.js";

// One of each dialect; TICKBIRD_ALL_LISTS has all of them tried.
const some = [
  "conv-easylist-easyprivacy-2026", "abp2-easylist-easyprivacy-2021", "blockparty",
  "brave-ios-upgrade-http-2021", "focus-disconnect-content", "kittytail-japanese-annoyances",
];
const names = process.env.TICKBIRD_ALL_LISTS ? listNames
  : listNames.filter((name) => some.includes(name));
const limit = 300_000;

const kinds = { js: "text/javascript", json: "application/json", wasm: "application/wasm" };

function content(path) {
  if (path === "/") {
    return ["text/html", "<!doctype html><meta charset=utf-8><script type=module src=/tests/browser-page.js></script>"];
  }
  const kind = kinds[path.split(".").at(-1)] ?? "text/plain; charset=utf-8";
  const [, folder, ...rest] = path.split("/");
  const name = rest.join("/");
  switch (folder) {
    case "package": return [kind, readFileSync(join(packageFolder, name))];
    case "tests": return [kind, readFileSync(join(root, "JavaScript/Tests", name))];
    case "vectors": return [kind, readFileSync(join(vectorFolders.at(-1), name))];
    case "conformance": return [kind, readFileSync(join(root, "Tests/Fixtures/Conformance", name))];
    case "lists.json": return [kind, JSON.stringify(names)];
    case "data": return [kind, dataText(name)];
    default: throw new Error(`there is no ${path}`);
  }
}

/** Serves the page on this machine; the report is what it sends. */
async function serve() {
  let take;
  const report = new Promise((resolve) => { take = resolve; });
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.on("data", (part) => { body += part; });
      request.on("end", () => {
        response.end();
        take(JSON.parse(body));
      });
      return;
    }
    try {
      const [kind, bytes] = content(normalize(new URL(request.url, "http://a").pathname));
      response.setHeader("content-type", kind);
      response.end(bytes);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return { server, report, url: `http://127.0.0.1:${server.address().port}/` };
}

const browsers = {
  chromium: (profile, url) => [
    "--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--no-default-browser-check", ...process.getuid() === 0 ? ["--no-sandbox"] : [],
    `--user-data-dir=${profile}`, url,
  ],
  firefox: (profile, url) => {
    // Nothing leaves the machine.
    writeFileSync(join(profile, "user.js"), [
      ["network.captive-portal-service.enabled", false], ["network.connectivity-service.enabled", false],
      ["app.normandy.enabled", false], ["browser.safebrowsing.downloads.remote.enabled", false],
      ["datareporting.policy.dataSubmissionEnabled", false], ["extensions.update.enabled", false],
    ].map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`).join(""));
    return ["--headless", "--no-remote", "--profile", profile, url];
  },
};

for (const [name, options] of Object.entries(browsers)) {
  const isAbsent = spawnSync(name, ["--version"]).error !== undefined;
  test(`the vectors in ${name}`, { skip: isAbsent && `there is no ${name}`, timeout: limit + 20_000 }, async (context) => {
    const profile = mkdtempSync(join(tmpdir(), "tickbird-browser-"));
    const { server, report, url } = await serve();
    const browser = spawn(name, options(profile, url), { stdio: "ignore", detached: true });
    let timer;
    try {
      const found = await Promise.race([report, new Promise((resolve) => {
        timer = setTimeout(() => resolve({ error: `no report within ${limit / 1000} seconds` }), limit);
        browser.on("exit", (code) => resolve({ error: `the browser has ended with ${code}` }));
      })]);
      assert.equal(found.error, undefined);
      const counts = Object.entries(found.counts);
      assert.equal(counts.length, 16 + names.length);
      for (const [file, count] of counts) assert.ok(count > 5, file);
      context.diagnostic(`${counts.reduce((sum, [, count]) => sum + count, 0)} cases`
        + (dataFolder === null ? "; real lists are skipped, which are not here" : ""));
    } finally {
      clearTimeout(timer);
      browser.removeAllListeners("exit");
      const ended = new Promise((resolve) => { browser.on("exit", resolve); });
      // With the processes that it has started.
      if (browser.exitCode === null) {
        process.kill(-browser.pid, "SIGKILL");
        await ended;
      }
      server.closeAllConnections();
      server.close();
      if (existsSync(profile)) rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    }
  });
}
