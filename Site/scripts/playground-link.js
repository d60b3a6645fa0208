"use strict";
// Links that carry their content behind the number sign, where no server sees it. Anybody can write such a link:
// what it carries is bounded, and is only ever put into fields as text.

const linkMark = "#try=";
/** The most characters of a link's content, which browsers and mail programs still pass on. */
const longestLink = 32 << 10;
/** The most bytes of what it carries. */
const largestContent = 512 << 10;
const linkFields = ["list", "url", "page", "type"];

function base64url(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 1 << 14) {
    text += String.fromCharCode(...bytes.subarray(start, start + (1 << 14)));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** All bytes that come out of a stream when bytes go in; an error if there are more than `most`. */
async function streamed(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The content as the part of a link from the number sign on; null if it is too long for one. */
async function linkOf(content) {
  const bytes = new TextEncoder().encode(JSON.stringify(linkFields.map((name) => content[name])));
  if (bytes.length > largestContent) return null;
  const packed = await streamed(bytes, new CompressionStream("deflate-raw"), largestContent);
  // Whether it is compressed is said by the first letter.
  const text = packed.length < bytes.length ? `d${base64url(packed)}` : `p${base64url(bytes)}`;
  return text.length > longestLink ? null : linkMark + text;
}

/** The content of such a part of a link; null if it carries none, an error if it is damaged. */
async function contentOf(fragment) {
  if (!fragment.startsWith(linkMark)) return null;
  const text = fragment.slice(linkMark.length);
  if (text.length > longestLink) throw new RangeError("too long");
  const kind = text[0];
  if (kind !== "d" && kind !== "p") throw new TypeError("of an unknown kind");
  let bytes = fromBase64url(text.slice(1));
  if (kind === "d") bytes = await streamed(bytes, new DecompressionStream("deflate-raw"), largestContent);
  const values = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!Array.isArray(values) || values.length !== linkFields.length || values.some((each) => typeof each !== "string")) {
    throw new TypeError("of another form");
  }
  return Object.fromEntries(linkFields.map((name, number) => [name, values[number]]));
}
