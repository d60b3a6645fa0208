// Waiting in tests without looking at a clock.

/** Lets everything run that waits for promises alone. */
export async function turns(count = 20) {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}
