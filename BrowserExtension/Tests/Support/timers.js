// Timers that do not keep a test from ending: import this before modules that set them.

const { setTimeout } = globalThis;

globalThis.setTimeout = (...details) => setTimeout(...details).unref();

/** Waits for a promise that a timer fulfils or rejects. */
export async function awaited(promise) {
  const keeper = setInterval(() => {}, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(keeper);
  }
}
