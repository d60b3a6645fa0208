// The package in Node.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { useModule } from "./lib/engine.js";

useModule(new WebAssembly.Module(moduleBytes(new URL("./tickbird.wasm", import.meta.url))));

function moduleBytes(place) {
  try {
    return readFileSync(place);
  } catch (error) {
    // Mostly it was left behind by a bundler, which does not see that it is read.
    throw new Error(`${fileURLToPath(place)}, the engine of the package "tickbird", cannot be read (${error.code}); `
      + "install the package again, or have the bundler leave the package as it is", { cause: error });
  }
}

export * from "./lib/lists.js";
