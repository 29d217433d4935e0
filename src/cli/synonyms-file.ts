import { readFileSync } from "node:fs";
import { messageOf, VitrineError } from "../errors.ts";
import type { Synonym } from "../read-model/search/text/synonyms.ts";

/** Limits the file, because its rules are sent to each HTTP process. */
const maxFileBytes = 1_000_000;
const maxLineChars = 2_000;
const maxAlternatives = 50;
const maxReportedLines = 20;

/**
 * A synonym rule as the supervisor sends it to HTTP processes. Expanded for each alternative, a file of 1 MB would take
 * 70 MB.
 */
export interface SynonymRule {
  readonly terms: readonly string[];
  /** Undefined for a list, in which each term means any other. */
  readonly meanings?: readonly string[];
}

/** Expands rules to the synonyms that searches use. */
export const expandRules = (rules: readonly SynonymRule[]): readonly Synonym[] =>
  rules.flatMap(({ terms, meanings }) =>
    terms.map((term) => ({
      phrase: term,
      meanings: meanings ?? terms.filter((other) => other !== term),
    })),
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
    if (bytes.length <= maxFileBytes) {
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
  throw new VitrineError("usage", `--synonyms ${path}: is larger than ${maxFileBytes} bytes`);
};

/** @param name file name in error messages */
export const parseSynonyms = (text: string, name: string): readonly SynonymRule[] => {
  const rules: SynonymRule[] = [];
  const problems: string[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const rule = line.replace(/(^|\s)#.*$/, "").trim();
    if (rule === "") continue;
    const read = parseRule(rule);
    if (typeof read === "string") problems.push(`${name}:${at + 1}: ${read}`);
    else rules.push(read);
  }
  if (problems.length > 0) throw new VitrineError("usage", formatProblems(problems));
  return rules;
};

const formatProblems = (problems: readonly string[]): string => {
  const omitted = problems.length - maxReportedLines;
  const rest = omitted > 0 ? [`and ${omitted} more lines like these`] : [];
  return [...problems.slice(0, maxReportedLines), ...rest].join("\n");
};

/** Parses a rule. @returns a string that names the problem when the rule is invalid */
const parseRule = (rule: string): SynonymRule | string => {
  if (rule.length > maxLineChars) return `is longer than ${maxLineChars} characters`;
  const [terms = "", meant, ...more] = rule.split("=>");
  if (more.length > 0) return "has more than one =>: write one rule a line";
  const [left, right] = [
    splitAlternatives(terms),
    meant === undefined ? undefined : splitAlternatives(meant),
  ];
  const all = [...left, ...(right ?? [])];
  if (all.length > maxAlternatives) return `names more than ${maxAlternatives} alternatives`;
  const wordless = all.find((part) => !/[\p{L}\p{N}]/u.test(part));
  if (wordless !== undefined)
    return wordless === "" ? "has an empty alternative" : `"${wordless}" holds no word`;
  if (right) return { terms: left, meanings: right };
  if (left.length < 2) return "names one thing only: write a, b or a => b";
  return { terms: left };
};

const splitAlternatives = (text: string): readonly string[] =>
  text.split(",").map((part) => part.trim());
