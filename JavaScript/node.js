// The package in Node.

import { readFileSync } from "node:fs";
import { useModule } from "./lib/engine.js";

useModule(new WebAssembly.Module(readFileSync(new URL("./tickbird.wasm", import.meta.url))));

export * from "./lib/lists.js";
