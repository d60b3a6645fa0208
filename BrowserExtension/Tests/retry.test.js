import assert from "node:assert/strict";
import { test } from "node:test";
import { awaited } from "./Support/timers.js";
import { Retry } from "../WebExtension/shared/retry.js";

/** What `setTimeout` was called with while `body` ran; nothing is waited for. */
function delays(body) {
  const { setTimeout } = globalThis;
  const seen = [];
  globalThis.setTimeout = (attempt, delay) => { seen.push(delay); };
  try {
    body();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return seen;
}

test("each delay is twice the one before, up to the longest", () => {
  const retry = new Retry(10, 60);
  assert.deepEqual(delays(() => {
    for (let time = 0; time < 5; time++) retry.schedule(() => {});
  }), [10, 20, 40, 60, 60]);
  retry.succeed();
  assert.deepEqual(delays(() => retry.schedule(() => {})), [10]);
});

test("one attempt is scheduled at a time, and may be cancelled", async () => {
  const retry = new Retry(1, 1);
  const made = [];
  retry.schedule(() => made.push("first"));
  await awaited(new Promise((resolve) => {
    retry.schedule(() => {
      made.push("second");
      resolve();
    });
  }));
  retry.schedule(() => made.push("third"));
  retry.cancel();
  await awaited(new Promise((resolve) => { setTimeout(resolve, 5); }));
  assert.deepEqual(made, ["second"]);
});
