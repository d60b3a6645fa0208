// Values of messages in JSON, with those of Safari's that JSON lacks.

/**
 * Packs a value; functions and cycles cannot be sent, as in Safari.
 *
 * @param {unknown} value @param {Set<unknown>} [around] @returns {any}
 */
function packValue(value, around = new Set()) {
  switch (typeof value) {
    case "undefined":
      return { $: "undefined" };
    case "number":
      if (Object.is(value, -0)) return { $: "number", of: "-0" };
      return Number.isFinite(value) ? value : { $: "number", of: String(value) };
    case "bigint":
      return { $: "bigint", of: String(value) };
    case "function":
    case "symbol":
      throw new DOMException("a function cannot be sent", "DataCloneError");
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  if (around.has(value)) throw new DOMException("a cycle cannot be sent", "DataCloneError");
  const inside = new Set(around).add(value);
  if (Array.isArray(value)) return Array.from(value, (element) => packValue(element, inside));
  const tag = Object.prototype.toString.call(value);
  const object = /** @type {any} */ (value);
  if (tag === "[object Date]") return { $: "date", of: packValue(object.getTime()) };
  if (tag === "[object RegExp]") return { $: "regexp", of: [object.source, object.flags] };
  const boxed = ["[object String]", "[object Number]", "[object Boolean]"].includes(tag);
  if (boxed) return packValue(object.valueOf());
  const members = Object.keys(object).map((key) => [key, packValue(object[key], inside)]);
  // An object that looks like one of the above is put into another.
  return "$" in object ? { $: "object", of: members } : Object.fromEntries(members);
}

/** @param {any} value @returns {any} */
function unpackValue(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(unpackValue);
  switch (value.$) {
    case "undefined":
      return undefined;
    case "number":
      return Number(value.of);
    case "bigint":
      return BigInt(value.of);
    case "date":
      return new Date(unpackValue(value.of));
    case "regexp":
      return new RegExp(value.of[0], value.of[1]);
    case "object":
      return Object.fromEntries(
        value.of.map((/** @type {[string, any]} */ [key, member]) => [key, unpackValue(member)]),
      );
    default:
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, unpackValue(member)]),
      );
  }
}
