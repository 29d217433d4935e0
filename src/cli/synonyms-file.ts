import { readFileSync } from "node:fs";
import { messageOf, VitrineError } from "../errors.ts";
import type { Synonym } from "../read-model/search/text/synonyms.ts";

/** Limits the file, because its rules are sent to each HTTP process. */
const largest = 1_000_000;
const longestLine = 2_000;
const mostAlternatives = 50;
const mostTold = 20;

/**
 * A synonym rule as the supervisor sends it to HTTP processes. Expanded for each alternative, a file of 1 MB would take
 * 70 MB.
 */
export interface SynonymRule {
  readonly said: readonly string[];
  /** Undefined for a list, in which each term means any other. */
  readonly means?: readonly string[];
}

/** Expands rules to the synonyms that searches use. */
export const synonymsOf = (rules: readonly SynonymRule[]): readonly Synonym[] =>
  rules.flatMap(({ said, means }) =>
    said.map((one) => ({ said: one, means: means ?? said.filter((other) => other !== one) })),
  );

/**
 * Reads the synonyms of a shop, one rule per line.
 * `sofa, couch, settee`: each term means any other. `notebook => laptop`: a search for notebooks finds laptops, but not
 * the reverse. `#` begins a comment, except inside a word (`c#`).
 * @param path undefined for no synonyms
 * @throws `usage` naming the invalid lines
 */
export const readSynonyms = (path: string | undefined): readonly SynonymRule[] =>
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

/** @param name file name in error messages */
export const parseSynonyms = (text: string, name: string): readonly SynonymRule[] => {
  const rules: SynonymRule[] = [];
  const problems: string[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const rule = line.replace(/(^|\s)#.*$/, "").trim();
    if (rule === "") continue;
    const read = ruleOf(rule);
    if (typeof read === "string") problems.push(`${name}:${at + 1}: ${read}`);
    else rules.push(read);
  }
  if (problems.length > 0) throw new VitrineError("usage", told(problems));
  return rules;
};

const told = (problems: readonly string[]): string => {
  const more = problems.length - mostTold;
  const rest = more > 0 ? [`and ${more} more lines like these`] : [];
  return [...problems.slice(0, mostTold), ...rest].join("\n");
};

/** Parses a rule. @returns a string that names the problem when the rule is invalid */
const ruleOf = (rule: string): SynonymRule | string => {
  if (rule.length > longestLine) return `is longer than ${longestLine} characters`;
  const [said = "", meant, ...more] = rule.split("=>");
  if (more.length > 0) return "has more than one =>: write one rule a line";
  const [left, right] = [partsOf(said), meant === undefined ? undefined : partsOf(meant)];
  const all = [...left, ...(right ?? [])];
  if (all.length > mostAlternatives) return `names more than ${mostAlternatives} alternatives`;
  const odd = all.find((part) => !/[\p{L}\p{N}]/u.test(part));
  if (odd !== undefined) return odd === "" ? "has an empty alternative" : `"${odd}" holds no word`;
  if (right) return { said: left, means: right };
  if (left.length < 2) return "names one thing only: write a, b or a => b";
  return { said: left };
};

const partsOf = (text: string): readonly string[] => text.split(",").map((part) => part.trim());
