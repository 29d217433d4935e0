import { firstByPrecedence, type Group, type Rule } from "./robots-groups.ts";

/** What robots.txt says of a request; of one that would take too long to judge it does not say anything. */
export type Verdict = "allowed" | "denied" | "too long";

/** Rules that search, times characters of a path: some hundredth of a second where both are made for it. */
const mostSearched = 2_000_000;

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param path as `literal` spells it
 */
export const judge = (names: readonly (readonly Group[])[], path: string): Verdict => {
  const groups = new Set(names.flat());
  let searching = 0;
  for (const group of groups) searching += group.searching;
  if (searching * path.length > mostSearched) return "too long";
  const met = new Map<Group, Rule | undefined>();
  for (const group of groups)
    met.set(
      group,
      group.rules.find((rule) => matches(rule, path)),
    );
  return names.some((ofName) => ruleOf(ofName, met)?.allow === false) ? "denied" : "allowed";
};

/** The rule that counts of those that a name's groups met. */
const ruleOf = (
  groups: readonly Group[],
  met: ReadonlyMap<Group, Rule | undefined>,
): Rule | undefined => {
  let first: Rule | undefined;
  for (const group of groups) {
    const rule = met.get(group);
    if (rule && (!first || firstByPrecedence(rule, first) < 0)) first = rule;
  }
  return first;
};

/** Each part is looked for once, from where the one before it was first found: no path is gone through twice for a rule. */
const matches = ({ begin, isExact, between, end }: Rule, path: string): boolean => {
  if (!path.startsWith(begin)) return false;
  if (isExact) return path.length === begin.length;
  let at = begin.length;
  for (const part of between) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - end.length >= at && path.endsWith(end);
};
