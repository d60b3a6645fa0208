// The package in browsers, and wherever else there is `fetch`: waits until the engine is compiled.

import { useModule } from "./lib/engine.js";

const place = new URL("./tickbird.wasm", import.meta.url);

async function compiled() {
  const answer = await fetch(place);
  if (!answer.ok) {
    throw new Error(`${place} cannot be fetched (status ${answer.status}); serve tickbird.wasm `
      + "beside index.js");
  }
  // Servers that do not know the type are many.
  return answer.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

useModule(await compiled());

export * from "./lib/lists.js";
