import { firstByPrecedence, type Group, type Rule } from "./robots-groups.ts";

/**
 * Whether one of an agent's names is denied a path. A group that several of them share is judged once.
 * @param names the groups of each
 * @param path as `literal` spells it
 */
export const isDenied = (names: readonly (readonly Group[])[], path: string): boolean => {
  const met = new Map<Group, Rule | undefined>();
  for (const groups of names) {
    for (const group of groups) {
      if (!met.has(group))
        met.set(
          group,
          group.rules.find((rule) => matches(rule, path)),
        );
    }
  }
  return names.some((groups) => {
    const [first] = groups.flatMap((group) => met.get(group) ?? []).sort(firstByPrecedence);
    return first?.allow === false;
  });
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
