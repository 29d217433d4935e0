import type { Group, Rule } from "./parse.ts";

/** What robots.txt says of a request; of one that would take too long to judge it does not say anything. */
export type Verdict = "allowed" | "denied" | "too long";

/** Steps of rules, times characters of paths: some hundredths of a second where both are made for it. */
const mostSteps = 10_000_000;
/** As many as the package takes to begin with a group and a path, whatever these are. */
const stepsOfGroup = 800;

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param paths by which the same is found, as `literal` spells them: of all rules for one of them the longest counts
 */
export const judge = (names: readonly (readonly Group[])[], paths: readonly string[]): Verdict => {
  const groups = new Set(names.flat());
  let steps = 0;
  for (const group of groups) steps += group.steps;
  const characters = paths.reduce((sum, { length }) => sum + length, 0);
  const begins = groups.size * paths.length * stepsOfGroup;
  if (begins + steps * characters > mostSteps) return "too long";
  const met = new Map([...groups].map((group) => [group, longest(paths.map(group.match))]));
  const isDenied = (ofName: readonly Group[]): boolean =>
    longest(ofName.map((group) => met.get(group)))?.allow === false;
  return names.some(isDenied) ? "denied" : "allowed";
};

/** The rule that counts: the longest, and of two equally long ones Allow (RFC 9309, 2.2.2). */
const longest = (rules: readonly (Rule | undefined)[]): Rule | undefined =>
  rules.reduce(
    (first, rule) => (rule && (!first || isBefore(rule, first)) ? rule : first),
    undefined,
  );

const isBefore = (one: Rule, other: Rule): boolean =>
  one.pattern.length > other.pattern.length ||
  (one.pattern.length === other.pattern.length && one.allow && !other.allow);
