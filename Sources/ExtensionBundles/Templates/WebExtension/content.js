(globalThis.browser ?? globalThis.chrome).runtime
    .sendMessage({ greeting: "hello" })
    .then((response) => console.log("Received response:", response));
