import { encoded, literal } from "./robots-paths.ts";

/** Rules that stand together in a robots.txt, whatever names share them. */
export interface Group {
  /** Those that count first come first: the longer, and of two equally long ones Allow (RFC 9309, 2.2.2). */
  readonly rules: readonly Rule[];
  /** How many of them look for something in the midst of a path. */
  readonly searching: number;
}

export interface Rule {
  readonly allow: boolean;
  /** Characters of its pattern. */
  readonly length: number;
  /** A path has to begin with this, and be no more than this where `isExact`. */
  readonly begin: string;
  readonly isExact: boolean;
  /** Then it has to hold these in their order, and end with the last; anything may be between. */
  readonly between: readonly string[];
  readonly end: string;
}

/** Groups of a robots.txt by the product token each is for, in small letters; none for `*`. */
export const groupsOf = (text: string): ReadonlyMap<string, readonly Group[]> => {
  const named = new Map<string, Group[]>();
  for (const { names, rules } of readGroups(text)) {
    const searching = rules.filter(({ between }) => between.length > 0).length;
    const group = { rules: rules.sort(firstByPrecedence), searching };
    for (const name of names) {
      const groups = named.get(name);
      if (groups) groups.push(group);
      else named.set(name, [group]);
    }
  }
  return named;
};

interface ReadGroup {
  readonly names: Set<string>;
  readonly rules: Rule[];
}

/** Sorts rules by which counts where several match. */
export const firstByPrecedence = (one: Rule, other: Rule): number =>
  other.length - one.length || Number(other.allow) - Number(one.allow);

/** Any record but another name ends the names of a group, as Google's parser has it. */
const readGroups = (text: string): readonly ReadGroup[] => {
  const groups: ReadGroup[] = [];
  let group: ReadGroup | undefined;
  let wasName = false;
  for (const [key, value] of recordsOf(text)) {
    const isName = key === "user-agent";
    if (isName && !wasName) {
      group = { names: new Set(), rules: [] };
      groups.push(group);
    }
    if (isName) addName(group, value);
    if ((key === "allow" || key === "disallow") && value !== "") {
      group?.rules.push(ruleOf(key === "allow", value));
    }
    wasName = isName;
  }
  return groups;
};

function* recordsOf(text: string): Generator<readonly [key: string, value: string]> {
  for (const line of text.split(/[\r\n]+/)) {
    const record = line.split("#", 1)[0] ?? "";
    const colon = record.indexOf(":");
    const key = record.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (key !== "") yield [key, record.slice(colon + 1).trim()];
  }
}

/** A product token ends where RFC 9309 says, or a robot's number does. */
const addName = (group: ReadGroup | undefined, value: string): void => {
  const name = /^[\w.-]+/.exec(value)?.[0];
  if (name !== undefined) group?.names.add(name.toLowerCase());
};

const ruleOf = (allow: boolean, pattern: string): Rule => {
  const isWhole = pattern.endsWith("$");
  const [begin = "", ...rest] = pattern
    .slice(0, isWhole ? -1 : undefined)
    .split("*")
    .map(literal);
  const isExact = isWhole && rest.length === 0;
  const [end = ""] = isWhole ? rest.splice(-1) : [];
  const between = rest.filter((part) => part !== "");
  return { allow, length: encoded(pattern).length, begin, isExact, between, end };
};
