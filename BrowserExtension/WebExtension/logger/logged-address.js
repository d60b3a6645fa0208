// How much is kept of requests in the logger: pages choose how many there are, and how long their addresses.

import { beginning } from "../shared/cut-text.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** The longest address that is kept whole, in characters. */
export const addressLimit = 8000;

/**
 * An address, or its beginning with an ellipsis behind it.
 *
 * @param {string} address
 */
export const logged = (address) =>
  (address.length <= addressLimit ? address : `${beginning(address, addressLimit)}…`);

/**
 * Whether an address is a beginning alone.
 *
 * @param {string} address as `logged` has made it
 */
export const isCut = (address) => address.length > addressLimit;

/** How many requests of a tab are kept, and of how many characters: each search looks at all of them. */
export const rowLimits = { count: 10_000, characters: 50_000_000 };

/**
 * How many characters the addresses of a row have.
 *
 * @param {LoggedRequest} row
 */
export const charactersOf = ({ url, initiator, page, frame }) =>
  url.length + initiator.length + page.length + frame.length;
