import robotsParser from "robots-parser";
import { encoded } from "./normalize.ts";

/** Rules that stand together in a robots.txt, whatever names share them. */
export interface Group {
  /** Steps to hold a character of a path against all of them, at most. */
  readonly steps: number;
  /** The rule that counts of those that match a path; undefined where none does. */
  match(path: string): Rule | undefined;
}

export interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/**
 * Groups of a robots.txt by the product token each is for, in small letters; none for `*`. The package would give each
 * name of a group its own copy of the rules, and a group without rules to `*`: it is handed one group at a time.
 */
export const groupsOf = (text: string): ReadonlyMap<string, readonly Group[]> => {
  const groupsByName = new Map<string, Group[]>();
  for (const { names, rules } of splitGroups(text)) {
    const group = createGroup(rules);
    for (const name of names) {
      const groups = groupsByName.get(name);
      if (groups) groups.push(group);
      else groupsByName.set(name, [group]);
    }
  }
  return groupsByName;
};

/** The package tries one rule after another, and each character of one with a wildcard at each of the path. */
const createGroup = (rules: readonly Rule[]): Group => {
  let parsed: ReturnType<typeof parse> | undefined;
  return {
    steps: rules.reduce(
      (sum, { pattern }) => sum + (pattern.includes("*") ? pattern.length : 1),
      0,
    ),
    match(path) {
      parsed ??= parse(`${origin}/robots.txt`, formatRules(rules));
      const line = parsed.getMatchingLineNumber(origin + path, anyAgent);
      return line < 0 ? undefined : rules[line - firstLine];
    },
  };
};

/** The package wants names and whole addresses; whose they are makes no difference. */
const anyAgent = "anybody";
const origin = "http://shop.invalid";
const firstLine = 2;

const formatRules = (rules: readonly Rule[]): string =>
  [
    `User-agent: ${anyAgent}`,
    ...rules.map(({ allow, pattern }) => `${allow ? "Allow" : "Disallow"}: ${pattern}`),
  ].join("\n");

/** The package says wrongly that it has a default export. */
const parse = robotsParser as unknown as typeof robotsParser.default;

interface RawGroup {
  readonly names: Set<string>;
  readonly rules: Rule[];
}

/** A rule ends the names of a group, and no other record does (RFC 9309, 2.2.4). */
const splitGroups = (text: string): readonly RawGroup[] => {
  const groups: RawGroup[] = [];
  let group: RawGroup | undefined;
  let wasName = false;
  for (const [key, value] of parseRecords(text)) {
    const isName = key === "user-agent";
    if (isName && !wasName) {
      group = { names: new Set(), rules: [] };
      groups.push(group);
    }
    if (isName) addName(group, value);
    const isRule = key === "allow" || key === "disallow";
    if (isRule && value !== "") {
      group?.rules.push({ allow: key === "allow", pattern: toPattern(value) });
    }
    if (isName || isRule) wasName = isName;
  }
  return groups;
};

/** A `$` is special at the end alone; elsewhere it is spelled as in a path. */
const toPattern = (value: string): string => encoded(value).replace(/\$(?!$)/g, "%24");

function* parseRecords(text: string): Generator<readonly [key: string, value: string]> {
  for (const line of text.split(/[\r\n]+/)) {
    const record = line.split("#", 1)[0] ?? "";
    const colon = record.indexOf(":");
    const key = record.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (key !== "") yield [key, record.slice(colon + 1).trim()];
  }
}

/** A product token ends where RFC 9309 says, or a robot's number does. */
const addName = (group: RawGroup | undefined, value: string): void => {
  const name = /^[\w.-]+/.exec(value)?.[0];
  if (name !== undefined) group?.names.add(name.toLowerCase());
};
