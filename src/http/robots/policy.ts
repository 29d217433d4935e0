import { LRUCache } from "lru-cache";
import type { Reader } from "../../read-model/reader/reader.ts";
import { errorReply } from "../error-reply.ts";
import { check, getHeader, type Layer, normalizeTarget } from "../exchange.ts";
import { equivalentPaths } from "../routes/page-lookup.ts";
import { type RobotsGroup, selectRule } from "./match.ts";
import { escapePattern, parseGroups } from "./parse.ts";

/**
 * Denies access to agents that the shop's robots.txt names and disallows (Specification §5 rule 7). Rules for
 * `*` deny nothing, and `/robots.txt` itself stays open to all.
 */
export const followRobots = (policyOf: RobotsSource): Layer =>
  check((exchange) => {
    const { path, target } = exchange;
    if (/^\/robots\.txt\/?$/.test(path)) return undefined;
    const decision = policyOf(exchange.reader())(getHeader(exchange, "user-agent"), target);
    if (decision === "allowed") return undefined;
    return decision === "denied"
      ? errorReply(exchange, "forbidden", denied)
      : errorReply(exchange, "bad_request", tooExpensive);
  });

const denied =
  "The shop's robots.txt denies access to this agent. Do not retry under another name.";
const tooExpensive =
  "The URL is too long to be checked against the rules of the shop's robots.txt.";

/** Returns the policy at the newest commit of a reader. Without a model all is allowed. */
export type RobotsSource = (reader: Reader | undefined) => RobotsPolicy;

/** Creates the source of the current policy. The text is parsed again only when it has changed. */
export const watchRobots = (): RobotsSource => {
  let text = "";
  let policy = parseRobots(text);
  return (reader) => {
    const latest = readText(reader, text);
    if (latest !== text) policy = parseRobots(latest);
    text = latest;
    const addresses = (target: string) => readEquivalentPaths(reader, target);
    return (userAgent, target) => policy(userAgent, target, addresses);
  };
};

/** Reads robots.txt. An unreadable row leaves the policy unchanged, because the surface reports the error. */
const readText = (reader: Reader | undefined, currentText: string): string => {
  try {
    return reader?.snapshot((snapshot) => snapshot.robots())?.text ?? "";
  } catch {
    return currentText;
  }
};

const readEquivalentPaths = (reader: Reader | undefined, target: string): readonly string[] => {
  try {
    return reader?.snapshot((snapshot) => equivalentPaths(snapshot, target)) ?? [target];
  } catch {
    return [target];
  }
};

/** Stands for all agents that robots.txt names: the decision is `allowed` when each of them is allowed. */
export const everyNamedAgent = Symbol("every named agent");

/** Decides about a request from its target and the product names in its User-Agent. */
type RobotsPolicy = (
  userAgent: string | typeof everyNamedAgent,
  target: string,
  addresses?: FindEquivalentPaths,
) => RobotsDecision;

/** Returns the equivalent paths of a target: see `equivalentPaths`. */
type FindEquivalentPaths = (target: string) => readonly string[];

/** Limit for all named agents, below a millisecond: the decision is only about whether a reply may be shared. */
const maxStepsForAll = 200_000;

/** Limit on the User-Agents whose groups are cached. */
const maxUserAgents = 1_000;

export const parseRobots = (text: string): RobotsPolicy => {
  const groupsByName = parseGroups(text);
  if (groupsByName.size === 0) return () => "allowed";
  const groupsByAgent = new LRUCache<string, readonly (readonly RobotsGroup[])[]>({
    max: maxUserAgents,
    memoMethod: (userAgent) =>
      [...parseProductNames(userAgent)].flatMap((name) => {
        const groups = groupsByName.get(name);
        return groups ? [groups] : [];
      }),
  });
  return (userAgent, target, addresses = (path) => [path]) => {
    const isForAll = userAgent === everyNamedAgent;
    const groups = isForAll ? [...groupsByName.values()] : groupsByAgent.memo(userAgent);
    if (groups.length === 0) return "allowed";
    const path = normalizeTarget(target);
    // A malformed target matches no page.
    if (path === undefined) return "allowed";
    const paths = addresses(path).map(escapePattern);
    return evaluate(groups, paths, isForAll ? maxStepsForAll : undefined);
  };
};

/**
 * Parses the product names of a User-Agent, including those in its comments: `GPTBot` of `(compatible;
 * GPTBot/1.2)`. The result is a set, because each name costs a lookup in the rules.
 */
const parseProductNames = (userAgent: string): ReadonlySet<string> =>
  new Set(
    userAgent
      .toLowerCase()
      // A URL names no product: it may link to the page of another one.
      .replace(/https?:[^\s;,()"'<>]*/g, " ")
      .split(/[\s;,()+:"'[\]{}<>|=]+/)
      .map((word) => word.split("/", 1)[0] ?? "")
      .filter((name) => /^[\w.-]+$/.test(name)),
  );

/**
 * Decision of robots.txt about a request. `too_expensive`: rules times path length exceed the limit, so it was
 * not evaluated.
 */
type RobotsDecision = "allowed" | "denied" | "too_expensive";

/** Default limit on rule steps times path characters: some hundredths of a second in the worst case. */
const defaultMaxSteps = 10_000_000;
/** Steps that stand for the fixed cost of a group and path. */
const setupStepsPerGroup = 800;

/**
 * Tests whether robots.txt denies a path to any of an agent's names. A group shared by several names is
 * evaluated once.
 * @param groupsByName groups of each name
 * @param paths equivalent paths, in the form of `escapePattern`; the longest rule that matches any of them
 *   decides
 */
const evaluate = (
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
