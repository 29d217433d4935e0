import { LRUCache } from "lru-cache";
import type { CurrentReader, Reader } from "../../read-model/reader/reader.ts";
import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";
import { targetOf } from "../middleware/normalize-url.ts";
import { addressesAt } from "../routes/page-lookup.ts";
import { judge, type Verdict } from "./match.ts";
import { literal } from "./normalize.ts";
import { type Group, groupsOf } from "./parse.ts";

/**
 * §5 rule 7: withdraws access from the agents that the shop's robots.txt names and keeps from a path.
 * The rules for `*` withdraw nothing, and `/robots.txt` itself stays open to all.
 */
export const robots = (current: FollowRobots): Step => {
  return (ctx, next) => {
    if (/^\/robots\.txt\/?$/.test(ctx.path)) return next();
    const carriedDecision = arrivalOf(ctx.req)?.verdict;
    const decision = carriedDecision ?? current()(ctx.get("User-Agent"), ctx.url);
    if (decision === "allowed") return next();
    return decision === "denied"
      ? refuse(ctx, "forbidden", denied)
      : refuse(ctx, "bad_request", tooExpensive);
  };
};

const denied = "The shop's robots.txt denies this agent; do not try again as another.";
const tooExpensive =
  "The address is too long to be held against the rules of the shop's robots.txt.";

/** What robots.txt says at the newest commit of a reader, the one that answers now unless given. */
export type FollowRobots = (reader?: Reader) => Judge;

/** What robots.txt says now; read anew only when its text changed. */
export const followRobots = (current: CurrentReader): FollowRobots => {
  let text = "";
  let policy = readRobots(text);
  return (reader = current()) => {
    const latest = readText(reader, text);
    if (latest !== text) policy = readRobots(latest);
    text = latest;
    const addresses = (target: string) => readEquivalentPaths(reader, target);
    return (userAgent, target) => policy(userAgent, target, addresses);
  };
};

/** A text that cannot be read leaves the rules as they were: what else is wrong, the surface tells. */
const readText = (reader: Reader | undefined, currentText: string): string => {
  try {
    return reader?.snapshot((snapshot) => snapshot.robots())?.text ?? "";
  } catch {
    return currentText;
  }
};

const readEquivalentPaths = (reader: Reader | undefined, target: string): readonly string[] => {
  try {
    return reader?.snapshot((snapshot) => addressesAt(snapshot, target)) ?? [target];
  } catch {
    return [target];
  }
};

/** What is said of a request for a target by a User-Agent, by its own name. */
export type Judge = (userAgent: string, target: string, addresses?: FindEquivalentPaths) => Verdict;

/** What a target stands for: see `addressesAt`. */
type FindEquivalentPaths = (target: string) => readonly string[];

/** User agents whose names were looked up lately. */
const maxUserAgents = 1_000;

/** Reads a robots.txt (RFC 9309). */
export const readRobots = (text: string): Judge => {
  const groupsByName = groupsOf(text);
  if (groupsByName.size === 0) return () => "allowed";
  const groupsByAgent = new LRUCache<string, readonly (readonly Group[])[]>({
    max: maxUserAgents,
    memoMethod: (userAgent) =>
      [...parseProductNames(userAgent)].flatMap((name) => {
        const groups = groupsByName.get(name);
        return groups ? [groups] : [];
      }),
  });
  return (userAgent, target, addresses = (path) => [path]) => {
    const groups = groupsByAgent.memo(userAgent);
    if (groups.length === 0) return "allowed";
    const path = targetOf(target);
    // Nothing is at an address that cannot be read.
    return path === undefined ? "allowed" : judge(groups, addresses(path).map(literal));
  };
};

/**
 * Names of the products in a User-Agent, those inside its comments too: `GPTBot` of `(compatible; GPTBot/1.2)`. Once
 * each, however often it says them: every one is looked up in the rules.
 */
const parseProductNames = (userAgent: string): ReadonlySet<string> =>
  new Set(
    userAgent
      .toLowerCase()
      // Where to read of it is no name: a link may say whose it is not.
      .replace(/https?:[^\s;,()"'<>]*/g, " ")
      .split(/[\s;,()+:"'[\]{}<>|=]+/)
      .map((word) => word.split("/", 1)[0] ?? "")
      .filter((name) => /^[\w.-]+$/.test(name)),
  );
