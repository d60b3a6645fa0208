// The style sheets that were inserted into a document, and which of them a list's new version replaces.

import { globalSlot } from "./parts.js";
import { hidingSheet, wholeSelectors } from "./selectors.js";

/** @typedef {import("./parts.js").Part} Part */
/**
 * The style sheet of a part.
 *
 * @typedef {object} Piece
 * @property {Part} part
 * @property {string} identifier that of its list
 * @property {string} css
 * @property {string} selectors those that it is made of; empty for a list's global sheet, which is replaced as a whole
 */

/** How many selectors of former versions are kept; of more, the oldest go. */
const formerLimit = 2000;

/** Stands for what versions of lists have hidden that are gone. */
const formerPart = Object.freeze({ key: "", list: -1, slot: 0, rules: [] });

/**
 * The style sheet that pieces make together, as it is inserted and removed.
 *
 * @param {Piece[]} pieces
 */
export const cssOf = (pieces) => pieces.map(({ css }) => css).join("\n");

/** @param {Piece} piece */
const isGlobal = ({ part }) => part.slot === globalSlot;

/**
 * The sheets that a document has. Browsers remove one that is named by its text, so that the pieces are kept; documents
 * share them.
 *
 * A list's new version has a handle of its own. Its global sheet replaces the old version's. Which of the old version's
 * actions the new one would have in this document is not known, since their loads may be over: those selectors are
 * replaced that the document has anew, and the others are gathered in one sheet. So a document has no more sheets for
 * being open longer.
 */
export class InsertedSheets {
  /**
   * What was inserted together, and is removed together.
   *
   * @type {Piece[][]}
   */
  #insertions = [];

  /** @param {Piece[]} pieces */
  add(pieces) { if (pieces.length > 0) this.#insertions.push(pieces); }

  /**
   * Whether a sheet of this text is there.
   *
   * @param {string} css
   */
  has(css) { return this.#insertions.some((pieces) => cssOf(pieces) === css); }

  /**
   * Those of pieces that are to be inserted. A text that an old version has brought becomes the new one's as it is.
   *
   * @param {Piece[]} pieces
   * @param {(part: Part) => boolean} isOpen whether a part is of a list that is there
   */
  missing(pieces, isOpen) {
    if (this.#insertions.flat().every(({ part }) => isOpen(part))) return pieces;
    const coming = new Map(pieces.map((piece) => [piece.css, piece]));
    /** @type {Set<Piece>} */
    const there = new Set();
    this.#insertions = this.#insertions.map((inserted) => inserted.map((piece) => {
      const same = isOpen(piece.part) ? undefined : coming.get(piece.css);
      if (!same) return piece;
      coming.delete(piece.css);
      there.add(same);
      return same;
    }));
    return pieces.filter((piece) => !there.has(piece));
  }

  /**
   * Takes out the insertions that have something that is replaced; null if nothing is.
   *
   * @param {(part: Part) => boolean} isOpen whether a part is of a list that is there
   * @returns {{ old: Piece[][], kept: Piece[] } | null} what is to be removed, and what is to be inserted before
   */
  takeReplaced(isOpen) {
    const all = this.#insertions.flat();
    const open = new Set(all.filter(({ part }) => isOpen(part)));
    if (open.size === all.length) return null;
    const old = this.#insertions.filter((pieces) => !pieces.every((piece) => open.has(piece)));
    const replacing = new Set([...open].filter(isGlobal).map(({ identifier }) => identifier));
    const hidden = new Set([...open].flatMap(({ selectors }) => wholeSelectors(selectors)));
    const kept = old.flat().filter((piece) =>
      open.has(piece) || isGlobal(piece) && !replacing.has(piece.identifier));
    const age = (/** @type {Piece} */ { part }) => (part === formerPart ? 0 : 1);
    const former = old.flat().filter((piece) => !open.has(piece) && !isGlobal(piece))
      .sort((one, other) => age(one) - age(other))
      .flatMap(({ selectors }) => wholeSelectors(selectors));
    const rest = [...new Set(former)].filter((selector) => !hidden.has(selector)).slice(-formerLimit);
    const globals = (/** @type {Piece[]} */ pieces) => pieces.filter(isGlobal).length;
    const isAllKept = rest.length === former.length && globals(old.flat()) === globals(kept);
    if (isAllKept && old.length === 1) return null;
    if (rest.length > 0) {
      const selectors = rest.join(", ");
      kept.push({ part: formerPart, identifier: "", css: hidingSheet(selectors), selectors });
    }
    this.#insertions = this.#insertions.filter((pieces) => !old.includes(pieces));
    return { old, kept };
  }
}
