import type { Group, Rule } from "./robots-groups.ts";

/** What robots.txt says of a request; of one that would take too long to judge it does not say anything. */
export type Verdict = "allowed" | "denied" | "too long";

/** Steps of rules, times characters of a path: some hundredths of a second where both are made for it. */
const mostSteps = 10_000_000;

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param path as `literal` spells it
 */
export const judge = (names: readonly (readonly Group[])[], path: string): Verdict => {
  const groups = new Set(names.flat());
  let steps = 0;
  for (const group of groups) steps += group.steps;
  if (steps * path.length > mostSteps) return "too long";
  const met = new Map<Group, Rule | undefined>();
  for (const group of groups) met.set(group, group.match(path));
  return names.some((ofName) => ruleOf(ofName, met)?.allow === false) ? "denied" : "allowed";
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
