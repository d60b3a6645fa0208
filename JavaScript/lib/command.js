// The command of the package: `npx tickbird check LIST`, with the texts and exit statuses of the native
// command, of which it has three subcommands.

import { parseArgs } from "node:util";
import * as tickbird from "../node.js";
import { InputFault, isCompiled, readInput, writeWhole } from "./files.js";

const usage = `usage: tickbird check [--format text|json] LIST ...
       tickbird compile LIST -o FILE
       tickbird explain --list LIST ... --url URL --type TYPE [--page URL] [--frame URL]
                        [--context top-frame|child-frame] [--method METHOD]
                        [--format text|json] [--hiding]
       tickbird --version

check prints WebKit's verdict about lists, and every finding; compile writes a file that opens without
compiling; explain says what lists do to a load, and why. LIST is a list's JSON, plain or gzip, or for
explain a compiled file; - is standard input. The types are those of rules, such as script, image, fetch
and document.

Exit status: 0 all is well; 1 a list was refused; 2 wrong use, or a file cannot be read or written.
`;

class WrongUse extends Error {}

/** Runs the command; returns its exit status. */
export async function run(args) {
  const [name, ...rest] = args;
  try {
    switch (name) {
      case "check": return await check(rest);
      case "compile": return await compile(rest);
      case "explain": return await explain(rest);
      case "--version":
        await print(`${tickbird.version()}\n`);
        return 0;
      case "--help": case "-h":
        await print(usage);
        return 0;
      default:
        throw new WrongUse(name === undefined ? "say check, compile or explain"
          : `there is no subcommand ${shown(name)}; the command tickbird of the packages has more`);
    }
  } catch (error) {
    if (error instanceof WrongUse) {
      process.stderr.write(`tickbird: ${error.message}\n\n${usage}`);
    } else if (error instanceof tickbird.TickbirdError || error instanceof InputFault) {
      process.stderr.write(`tickbird: ${shown(error.message)}\n`);
    } else if (error.code === "EPIPE") {
      // Whoever reads has seen enough.
      return 0;
    } else {
      throw error;
    }
    return 2;
  }
}

function parsed(args, options) {
  let found;
  try {
    found = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new WrongUse(error.message);
  }
  const format = found.values.format ?? "text";
  if (!["text", "json"].includes(format)) {
    throw new WrongUse(`--format is text or json, not ${shown(format)}`);
  }
  return { ...found, isJSON: format === "json" };
}

const formatOption = { format: { type: "string" } };

async function check(args) {
  const { positionals, isJSON } = parsed(args, formatOption);
  if (positionals.length === 0) throw new WrongUse("name the lists to check");
  let status = 0;
  for (const path of positionals) {
    let text;
    try {
      text = readInput(path);
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      process.stderr.write(`tickbird: ${shown(error.message)}\n`);
      status = 2;
      continue;
    }
    const found = tickbird.reportText(text, path);
    const report = JSON.parse(found);
    await print(isJSON ? found : reportLines(report));
    if (!report.accepted) status = Math.max(status, 1);
  }
  return status;
}

function reportLines(report) {
  const file = shown(report.file);
  const lines = report.diagnostics.flatMap((each) => [
    `${file}:${each.line}:${each.column}: ${each.severity}: ${shown(each.message)} [${each.code}]`,
    ...each.hint ? [`       = hint: ${shown(each.hint)}`] : [],
    ...each.path ? [`       = at ${shown(each.path)}`] : [],
  ]);
  const counts = ["error", "warning", "note"].flatMap((severity) => {
    const count = report.diagnostics.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [counted(count, severity)];
  });
  if (report.omitted) counts.push(`${counted(report.omitted, "finding")} left out`);
  if (report.error && report.diagnostics.every((each) => each.severity !== "error")) {
    lines.push(`${file}: error: ${shown(report.error.message)}`);
  }
  lines.push(`${file}: ${report.accepted ? "accepted" : "refused"}, ${counted(report.rules, "rule")}`
    + (counts.length > 0 ? `; ${counts.join(", ")}` : ""));
  return `${lines.join("\n")}\n`;
}

async function compile(args) {
  const { values, positionals } = parsed(args, { output: { type: "string", short: "o" } });
  if (positionals.length !== 1) throw new WrongUse("compile takes one list");
  if (!values.output) throw new WrongUse("-o names the file to write");
  const [path] = positionals;
  try {
    const list = tickbird.compile(readInput(path), path);
    writeWhole(values.output, list.bytes);
    await print(`${shown(path)} -> ${shown(values.output)}: ${counted(list.ruleCount, "rule")}, `
      + `${list.bytes.length.toLocaleString("en")} bytes\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof tickbird.RefusedError)) throw error;
    process.stderr.write(reportLines(error.report));
    return 1;
  }
}

async function explain(args) {
  const text = { type: "string" };
  const { values, positionals, isJSON } = parsed(args, {
    ...formatOption, list: { type: "string", short: "l", multiple: true }, url: text, type: text,
    page: text, frame: text, context: text, method: text, hiding: { type: "boolean" },
  });
  if (positionals.length > 0) {
    throw new WrongUse("explain takes one load by options; the command tickbird of the packages takes logs");
  }
  if (!values.list) throw new WrongUse("--list names a list");
  if (!values.url || !values.type) throw new WrongUse("a load has a --url and a --type");
  let lists;
  try {
    lists = values.list.map((path) => {
      const input = readInput(path);
      return isCompiled(input) ? tickbird.open(input, path) : tickbird.compile(input, path);
    });
  } catch (error) {
    if (!(error instanceof tickbird.RefusedError)) throw error;
    process.stderr.write(reportLines(error.report));
    return 1;
  }
  const { url, type, page, frame, context, method } = values;
  const line = new tickbird.RuleLists(lists).explanationText(
    { url, type, page, frame, context, method }, { hiding: values.hiding ?? false });
  await print(isJSON ? line : explanationLines(JSON.parse(line), lists.length > 1));
  return 0;
}

function explanationLines(found, hasSeveral) {
  const { decision } = found;
  const outcome = decision.blocked ? "BLOCKED" : [
    ...decision.url ? [`loaded from ${shown(decision.url)}`] : ["loaded"],
    ...decision.cookies_blocked ? ["no cookies"] : [],
  ].join(", ");
  const name = (list, rule) => `rule ${rule}${hasSeveral ? ` of list ${list}` : ""}`;
  const lines = [`${outcome}: ${found.resource_type} ${shown(found.url)}`];
  for (const match of found.matches) {
    const range = match.url_range;
    const bytes = Buffer.from(found.url);
    const seen = range === null ? "matched every URL"
      : `matched "${shown(bytes.subarray(...range).toString())}" at ${range[0]}-${range[1]}`;
    const cause = match.by ? ` by ${name(match.by.list, match.by.rule)}` : "";
    lines.push(`  ${name(match.list, match.rule)} (${shown(match.file)}:${match.line}:${match.column}) `
      + `${match.action}, ${seen}; ${match.fate}${cause}`);
  }
  if (found.hiding_rules > 0) lines.push(`  ${counted(found.hiding_rules, "rule")} hide elements`);
  return `${lines.join("\n")}\n`;
}

function counted(count, word) { return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`; }

// What a list's author wrote must not steer the terminal, nor turn the direction of the text.
const steering = /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

function shown(text) {
  return String(text).replace(steering,
    (character) => `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
}

/** Writes to standard output; what cannot be written is an error. */
function print(text) {
  return new Promise((resolve, reject) => {
    process.stdout.once("error", reject);
    process.stdout.write(text, (error) => {
      if (error) return reject(error);
      process.stdout.off("error", reject);
      return resolve();
    });
  });
}
