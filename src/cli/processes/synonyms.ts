import { readFileSync } from "node:fs";
import { messageOf, VitrineError } from "../../errors.ts";
import type { Synonym } from "../../read-model/search/synonyms.ts";

/** Bytes: a file is read whole by each process. */
const largest = 1_000_000;
/** Characters of a line, and alternatives it may name. */
const longestLine = 2_000;
const mostAlternatives = 50;
/** Wrong lines that are told one by one. */
const mostTold = 20;

/**
 * A shop's synonyms, one rule a line: `sofa, couch, settee` means each by any other; `notebook => laptop` finds
 * laptops for notebooks, and not the other way. `#` begins a comment, but not inside a word (`c#`).
 * @param path undefined for none
 * @throws `usage` naming the lines that are no such rules
 */
export const readSynonyms = (path: string | undefined): readonly Synonym[] =>
  path === undefined ? [] : parseSynonyms(readText(path), path);

const readText = (path: string): string => {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= largest) {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
  } catch (cause) {
    throw new VitrineError(
      "usage",
      `--synonyms ${path}: cannot be read: ${messageOf(cause)}`,
      "give a text file in UTF-8 with one rule a line: a, b, c or a => b",
      cause,
    );
  }
  throw new VitrineError("usage", `--synonyms ${path}: is larger than ${largest} bytes`);
};

/** @param name of the file, for the errors */
export const parseSynonyms = (text: string, name: string): readonly Synonym[] => {
  const synonyms: Synonym[] = [];
  const problems: string[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const rule = line.replace(/(^|\s)#.*$/, "").trim();
    if (rule === "") continue;
    const read = ruleOf(rule);
    if (typeof read === "string") problems.push(`${name}:${at + 1}: ${read}`);
    else synonyms.push(...read);
  }
  if (problems.length > 0) throw new VitrineError("usage", told(problems));
  return synonyms;
};

const told = (problems: readonly string[]): string => {
  const more = problems.length - mostTold;
  const rest = more > 0 ? [`and ${more} more lines like these`] : [];
  return [...problems.slice(0, mostTold), ...rest].join("\n");
};

/** What a line means, or what is wrong with it. */
const ruleOf = (rule: string): readonly Synonym[] | string => {
  if (rule.length > longestLine) return `is longer than ${longestLine} characters`;
  const [said = "", meant, ...more] = rule.split("=>");
  if (more.length > 0) return "has more than one =>: write one rule a line";
  const [left, right] = [partsOf(said), meant === undefined ? undefined : partsOf(meant)];
  const all = [...left, ...(right ?? [])];
  if (all.length > mostAlternatives) return `names more than ${mostAlternatives} alternatives`;
  const odd = all.find((part) => !/[\p{L}\p{N}]/u.test(part));
  if (odd !== undefined) return odd === "" ? "has an empty alternative" : `"${odd}" holds no word`;
  if (right) return left.map((one) => ({ said: one, means: right }));
  if (left.length < 2) return "names one thing only: write a, b or a => b";
  return left.map((one) => ({ said: one, means: left.filter((other) => other !== one) }));
};

const partsOf = (text: string): readonly string[] => text.split(",").map((part) => part.trim());
