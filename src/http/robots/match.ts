import type { Group, Rule } from "./parse.ts";

/** What robots.txt says of a request; of one that would take too long to judge it does not say anything. */
export type Verdict = "allowed" | "denied" | "too_expensive";

/** Steps of rules, times characters of paths: some hundredths of a second where both are made for it. */
const maxSteps = 10_000_000;
/** As many as the package takes to begin with a group and a path, whatever these are. */
const setupStepsPerGroup = 800;

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param paths by which the same is found, as `literal` spells them: of all rules for one of them the longest counts
 */
export const judge = (
  groupsByName: readonly (readonly Group[])[],
  paths: readonly string[],
): Verdict => {
  const groups = new Set(groupsByName.flat());
  let steps = 0;
  for (const group of groups) steps += group.steps;
  const characters = paths.reduce((sum, { length }) => sum + length, 0);
  const setupSteps = groups.size * paths.length * setupStepsPerGroup;
  if (setupSteps + steps * characters > maxSteps) return "too_expensive";
  const ruleByGroup = new Map(
    [...groups].map((group) => [group, selectRule(paths.map(group.match))]),
  );
  const isDenied = (groupsOfName: readonly Group[]): boolean =>
    selectRule(groupsOfName.map((group) => ruleByGroup.get(group)))?.allow === false;
  return groupsByName.some(isDenied) ? "denied" : "allowed";
};

/** The rule that counts: the longest, and of two equally long ones Allow (RFC 9309, 2.2.2). */
const selectRule = (rules: readonly (Rule | undefined)[]): Rule | undefined =>
  rules.reduce(
    (selected, rule) => (rule && (!selected || takesPrecedence(rule, selected)) ? rule : selected),
    undefined,
  );

const takesPrecedence = (rule: Rule, selected: Rule): boolean =>
  rule.pattern.length > selected.pattern.length ||
  (rule.pattern.length === selected.pattern.length && rule.allow && !selected.allow);
