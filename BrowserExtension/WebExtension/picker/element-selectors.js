// In documents: selectors for an element, from narrow to wide.
//
// Not a module, because scripts in documents cannot be modules. A page gives forms, and itself, properties
// by the names of its elements, so everything is asked of the prototypes.

if (!globalThis.tickbirdSelectors) {
  /** How many selectors are offered. */
  const offered = 5;
  /** With fewer than these, one that tells the element's place is offered as well. */
  const wanted = 3;
  /** The longest selector, and the longest name in one. */
  const longestSelector = 300;
  const longestName = 64;
  const longestValue = 120;
  /** How many ancestors are looked at. */
  const depth = 12;

  /**
   * An element as far as selectors name it; names of its own are as the page has them.
   *
   * @typedef {{ tag: string, id: string, classes: string[], attributes: Array<[name: string, value: string]>,
   *   place: number, same: number }} Described
   */

  /** Attributes that say what an element is, the best first. */
  const telling = ["data-testid", "data-test", "data-ad", "data-ad-slot", "data-component", "aria-label", "name",
    "itemprop", "role", "title", "alt"];
  /** Attributes with addresses, of which the origin says who an element is from. */
  const addressed = ["src", "href", "data"];

  /**
   * Whether a name was chosen by a person, and not made by a program anew for each version of a page.
   *
   * @param {string} name
   */
  const isStable = (name) => {
    if (name.length < 2 || name.length > longestName || !/^[\p{L}_-][\p{L}\p{N}_-]*$/u.test(name)) return false;
    if (/^(?:css|sc|jsx|jss|emotion|svelte|ng|_ng\w*|styles?|tw|chakra|mui|makeStyles|v|data-v)-[\w-]*\d/.test(name)) return false;
    if (/^(?:sc|jsx|jss|svelte|css|emotion)-\w+$/.test(name)) return false;
    return name.split(/[-_]+/).flatMap((word) => [word, ...word.split(/(?<=[a-z])(?=[A-Z][a-z])/)])
      .every((word) => !isRandom(word));
  };

  /** @param {string} word */
  const isRandom = (word) => {
    const digits = word.replace(/\D/g, "").length;
    if (digits >= 4) return true;
    // Letters and digits in turn, as in 1x2y or a8f.
    const turns = (word.match(/\d(?=\p{L})|\p{L}(?=\d)/gu) ?? []).length;
    if (turns >= 2 && word.length >= 4) return true;
    if (digits > 0 && /^[\da-f]{6,}$/i.test(word)) return true;
    // Capitals in the middle of small letters, as in bdVaJa.
    if (word.length >= 5 && /[a-z][A-Z]/.test(word) && (word.match(/[A-Z]/g) ?? []).length >= 2
      && !/^[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*$/.test(word)) return true;
    return /^[a-z]{5,}$/i.test(word) && !/[aeiouyäöüåæøéè]/i.test(word);
  };

  /** @param {string} value */
  const string = (value) => `"${value.replace(/["\\]/g, "\\$&")}"`;

  /**
   * Attribute selectors that a person could have written.
   *
   * @param {Described} described
   */
  const attributeSelectors = ({ attributes }) => {
    const known = new Map(attributes);
    /** @type {string[]} */
    const found = [];
    for (const name of telling) {
      const value = known.get(name);
      // What could be taken for anything but a value is left out.
      if (value === undefined || value.length > longestValue || !/^[\p{L}\p{N} _.:/?=&%+-]*$/u.test(value)) continue;
      if (value === "") found.push(`[${name}]`);
      else if (!/\d{4}/.test(value)) found.push(`[${name}=${string(value)}]`);
    }
    for (const name of addressed) {
      const origin = /^(?:https?:)?\/\/[\w.-]+(?::\d+)?\//i.exec(known.get(name) ?? "");
      if (origin && origin[0].length <= longestValue) found.push(`[${name}^=${string(origin[0])}]`);
    }
    return found;
  };

  /**
   * The selectors of an element that come into question.
   *
   * @param {Described[]} path the element, then its ancestors
   * @param {(name: string) => string} escape
   * @returns {Array<{ selector: string, isPlace: boolean }>}
   */
  const proposals = (path, escape) => {
    const [element] = path;
    const tag = escape(element.tag);
    const classes = element.classes.filter(isStable).slice(0, 4).map((name) => `.${escape(name)}`);
    /** @type {string[]} */
    const own = [];
    if (isStable(element.id)) own.push(`#${escape(element.id)}`);
    if (classes.length > 0) own.push(tag + classes.join(""));
    for (const each of attributeSelectors(element)) own.push(tag + each);
    own.push(...classes);
    /** @type {string[]} */
    const inside = [];
    for (const [distance, ancestor] of path.slice(1).entries()) {
      const anchor = isStable(ancestor.id) ? `#${escape(ancestor.id)}`
        : ancestor.classes.filter(isStable).slice(0, 3).map((name) => `.${escape(name)}`).join("");
      if (anchor === "") continue;
      const inner = own.find((each) => !each.startsWith("#")) ?? tag;
      inside.push(distance === 0 ? `${anchor} > ${inner}` : `${anchor} ${inner}`);
      if (inside.length === 2) break;
    }
    const steps = [];
    for (const each of path) {
      if (steps.length > 0 && isStable(each.id)) {
        steps.push(`#${escape(each.id)}`);
        break;
      }
      steps.push(each.same > 1 ? `${escape(each.tag)}:nth-of-type(${each.place})` : escape(each.tag));
    }
    return [...own, ...inside].map((selector) => ({ selector, isPlace: false }))
      .concat({ selector: steps.reverse().join(" > "), isPlace: true });
  };

  /**
   * Those that are offered, from narrow to wide.
   *
   * @param {Array<{ selector: string, isPlace: boolean }>} all
   * @param {(selector: string) => number} count how many elements one selects; 0 if not this one, or too much
   */
  const chosen = (all, count) => {
    /** @type {Array<{ selector: string, isPlace: boolean, count: number }>} */
    const found = [];
    for (const each of all) {
      if (each.selector.length > longestSelector || found.some(({ selector }) => selector === each.selector)) continue;
      const number = count(each.selector);
      if (number > 0) found.push({ ...each, count: number });
    }
    const named = found.filter(({ isPlace }) => !isPlace).sort((one, other) => one.count - other.count);
    // Of those that select as much, the first two are the best.
    const distinct = named.filter(({ count: number }, place) =>
      named.slice(0, place).filter((each) => each.count === number).length < 2);
    const place = found.filter(({ isPlace }) => isPlace);
    const isNeeded = distinct.length < wanted || distinct[0].count > 1;
    const kept = [...(isNeeded ? place : []), ...distinct];
    // The widest one stays.
    return kept.length <= offered ? kept : [...kept.slice(0, offered - 1), kept[kept.length - 1]];
  };

  // MARK: The document

  const attribute = (/** @type {Element} */ element, /** @type {string} */ name) =>
    Element.prototype.getAttribute.call(element, name) ?? "";
  const getter = (/** @type {object} */ prototype, /** @type {string} */ name) =>
    /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
  /** @type {(element: Node) => Element | null} */
  const parentOf = (element) => getter(Node.prototype, "parentElement").call(element);
  /** @type {(element: Element) => string} */
  const nameOf = (element) => getter(Element.prototype, "localName").call(element);
  /** @type {(element: Element) => Element | null} */
  const before = (element) => getter(Element.prototype, "previousElementSibling").call(element);
  /** @type {(element: Element) => Element | null} */
  const behind = (element) => getter(Element.prototype, "nextElementSibling").call(element);

  /** @type {() => Element} */
  const rootElement = () => getter(Document.prototype, "documentElement").call(document);

  /**
   * All elements of the document that a selector selects.
   *
   * @param {string} selector
   */
  const select = (selector) => Document.prototype.querySelectorAll.call(document, selector);

  /**
   * @param {Element} element
   * @returns {Described}
   */
  const describe = (element) => {
    const tag = nameOf(element);
    let place = 1;
    let same = 1;
    for (let each = before(element); each; each = before(each)) if (nameOf(each) === tag) place += 1;
    for (let each = behind(element); each; each = behind(each)) if (nameOf(each) === tag) same += 1;
    same += place - 1;
    const classes = attribute(element, "class").slice(0, 1000).split(/\s+/).filter(Boolean).slice(0, 20);
    const attributes = [...telling, ...addressed].flatMap((name) =>
      (Element.prototype.hasAttribute.call(element, name)
        ? [/** @type {[string, string]} */ ([name, attribute(element, name).slice(0, 2000)])] : []));
    return { tag, id: attribute(element, "id"), classes, attributes, place, same };
  };

  /**
   * Selectors that select an element, with how many they select in its document, from narrow to wide.
   *
   * @param {Element} element
   * @returns {Array<{ selector: string, count: number }>}
   */
  const forElement = (element) => {
    /** @type {Described[]} */
    const path = [];
    for (let each = /** @type {Element | null} */ (element); each && path.length < depth; each = parentOf(each)) {
      if (nameOf(each) === "html") break;
      path.push(describe(each));
    }
    const root = rootElement();
    /** @type {Element[]} */
    const whole = [root, ...getter(Element.prototype, "children").call(root)];
    const matches = (/** @type {Element} */ each, /** @type {string} */ selector) =>
      Element.prototype.matches.call(each, selector);
    return chosen(proposals(path, (name) => CSS.escape(name)), (selector) => {
      try {
        // The page as a whole is nothing to hide.
        if (!matches(element, selector) || whole.some((each) => matches(each, selector))) return 0;
        return select(selector).length;
      } catch {
        return 0;
      }
    }).map(({ selector, count }) => ({ selector, count }));
  };

  globalThis.tickbirdSelectors = { attribute, behind, before, chosen, forElement, isStable, nameOf, parentOf, proposals, rootElement, select };
}
