import type { RobotsGroup, RobotsRule } from "./parse.ts";

/**
 * Decision of robots.txt about a request. `too_expensive`: rules times path length exceed the limit, so it was
 * not evaluated.
 */
export type RobotsDecision = "allowed" | "denied" | "too_expensive";

/** Default limit on rule steps times path characters: some hundredths of a second in the worst case. */
const defaultMaxSteps = 10_000_000;
/** Steps that robots-parser takes to set up any group and path. */
const setupStepsPerGroup = 800;

/**
 * Tests whether robots.txt denies a path to any of an agent's names. A group shared by several names is
 * evaluated once.
 * @param groupsByName groups of each name
 * @param paths equivalent paths, in the form of `escapePattern`; the longest rule that matches any of them
 *   decides
 */
export const evaluate = (
  groupsByName: readonly (readonly RobotsGroup[])[],
  paths: readonly string[],
  maxSteps = defaultMaxSteps,
): RobotsDecision => {
  const groups = new Set(groupsByName.flat());
  let steps = 0;
  for (const group of groups) steps += group.steps;
  const characters = paths.reduce((sum, { length }) => sum + length, 0);
  const setupSteps = groups.size * paths.length * setupStepsPerGroup;
  if (setupSteps + steps * characters > maxSteps) return "too_expensive";
  const ruleByGroup = new Map(
    [...groups].map((group) => [group, selectRule(paths.map(group.match))]),
  );
  const isDenied = (groupsOfName: readonly RobotsGroup[]): boolean =>
    selectRule(groupsOfName.map((group) => ruleByGroup.get(group)))?.allow === false;
  return groupsByName.some(isDenied) ? "denied" : "allowed";
};

/** Selects the rule that decides: the longest, and Allow among equally long ones (RFC 9309 §2.2.2). */
const selectRule = (rules: readonly (RobotsRule | undefined)[]): RobotsRule | undefined =>
  rules.reduce(
    (selected, rule) => (rule && (!selected || takesPrecedence(rule, selected)) ? rule : selected),
    undefined,
  );

const takesPrecedence = (rule: RobotsRule, selected: RobotsRule): boolean =>
  rule.pattern.length > selected.pattern.length ||
  (rule.pattern.length === selected.pattern.length && rule.allow && !selected.allow);
