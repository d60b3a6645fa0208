// What is thrown, as classes with a code.

/** Every error of this package. `code` says which. */
export class TickbirdError extends Error {
  constructor(code, message) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A list is refused; `report` says why. */
export class RefusedError extends TickbirdError {
  constructor(report, name) {
    const first = report.diagnostics.find((each) => each.severity === "error");
    const where = name || "the list";
    const place = first
      ? `${where}:${first.line}:${first.column}: ${first.message} [${first.code}]` : where;
    super("refused", `${report.error?.message ?? "the list is refused"} (${place})`);
    this.report = report;
  }
}

/** Bytes are not a compiled list of this version, or the text in one is damaged. */
export class CompiledListError extends TickbirdError {
  constructor(message) { super("damaged", message); }
}

/** A load cannot be decided: a URL is not absolute, a word is unknown, or a part is missing. */
export class LoadError extends TickbirdError {}

/**
 * The engine has ended: for want of memory ("out-of-memory"), or by a fault of its own ("fault").
 * What was asked is not done. Everything else goes on, and the next call has an engine of its own.
 */
export class EngineError extends TickbirdError {}
