import type { Group, Rule } from "./robots-groups.ts";

/** What robots.txt says of a request; of one that would take too long to judge it does not say anything. */
export type Verdict = "allowed" | "denied" | "too long";

/** Steps of rules, times characters of paths: some hundredths of a second where both are made for it. */
const mostSteps = 10_000_000;

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param paths by which the same is found, as `literal` spells them: denied one, denied all
 */
export const judge = (names: readonly (readonly Group[])[], paths: readonly string[]): Verdict => {
  const groups = new Set(names.flat());
  let steps = 0;
  for (const group of groups) steps += group.steps;
  const characters = paths.reduce((sum, { length }) => sum + length, 0);
  if (steps * characters > mostSteps) return "too long";
  return paths.some((path) => isDenied(names, groups, path)) ? "denied" : "allowed";
};

const isDenied = (
  names: readonly (readonly Group[])[],
  groups: ReadonlySet<Group>,
  path: string,
): boolean => {
  const met = new Map<Group, Rule | undefined>();
  for (const group of groups) met.set(group, group.match(path));
  return names.some((ofName) => ruleOf(ofName, met)?.allow === false);
};

/** The rule that counts of those that a name's groups met: the longest, and of two equally long ones Allow (RFC 9309, 2.2.2). */
const ruleOf = (
  groups: readonly Group[],
  met: ReadonlyMap<Group, Rule | undefined>,
): Rule | undefined => {
  let first: Rule | undefined;
  for (const group of groups) {
    const rule = met.get(group);
    if (rule && (!first || isBefore(rule, first))) first = rule;
  }
  return first;
};

const isBefore = (one: Rule, other: Rule): boolean =>
  one.pattern.length > other.pattern.length ||
  (one.pattern.length === other.pattern.length && one.allow && !other.allow);
