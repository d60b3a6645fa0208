// The digest under which the host offers data.

/**
 * The SHA-256 of bytes in hexadecimal.
 *
 * @param {Uint8Array} bytes
 */
export async function digestOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
