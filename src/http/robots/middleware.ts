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
    const known = arrivalOf(ctx.req)?.verdict;
    const verdict = known ?? current()(ctx.get("User-Agent"), ctx.url);
    if (verdict === "allowed") return next();
    return verdict === "denied"
      ? refuse(ctx, "forbidden", denied)
      : refuse(ctx, "bad_request", tooLong);
  };
};

const denied = "The shop's robots.txt denies this agent; do not try again as another.";
const tooLong = "The address is too long to be held against the rules of the shop's robots.txt.";

/** What robots.txt says at the newest commit of a reader, the one that answers now unless given. */
export type FollowRobots = (reader?: Reader) => Judge;

/** What robots.txt says now; read anew only when its text changed. */
export const followRobots = (current: CurrentReader): FollowRobots => {
  let text = "";
  let said = readRobots(text);
  return (reader = current()) => {
    const latest = textOf(reader, text);
    if (latest !== text) said = readRobots(latest);
    text = latest;
    const addresses = (target: string) => addressesIn(reader, target);
    return (userAgent, target) => said(userAgent, target, addresses);
  };
};

/** A text that cannot be read leaves the rules as they were: what else is wrong, the surface tells. */
const textOf = (reader: Reader | undefined, known: string): string => {
  try {
    return reader?.snapshot((moment) => moment.robots())?.text ?? "";
  } catch {
    return known;
  }
};

const addressesIn = (reader: Reader | undefined, target: string): readonly string[] => {
  try {
    return reader?.snapshot((moment) => addressesAt(moment, target)) ?? [target];
  } catch {
    return [target];
  }
};

/** What is said of a request for a target by a User-Agent, by its own name. */
export type Judge = (userAgent: string, target: string, addresses?: Addresses) => Verdict;

/** What a target stands for: see `addressesAt`. */
type Addresses = (target: string) => readonly string[];

/** User agents whose names were looked up lately. */
const remembered = 1_000;

/** Reads a robots.txt (RFC 9309). */
export const readRobots = (text: string): Judge => {
  const named = groupsOf(text);
  if (named.size === 0) return () => "allowed";
  const namesOf = new LRUCache<string, readonly (readonly Group[])[]>({
    max: remembered,
    memoMethod: (userAgent) =>
      [...productsOf(userAgent)].flatMap((name) => {
        const groups = named.get(name);
        return groups ? [groups] : [];
      }),
  });
  return (userAgent, target, addresses = (read) => [read]) => {
    const names = namesOf.memo(userAgent);
    if (names.length === 0) return "allowed";
    const read = targetOf(target);
    // Nothing is at an address that cannot be read.
    return read === undefined ? "allowed" : judge(names, addresses(read).map(literal));
  };
};

/**
 * Names of the products in a User-Agent, those inside its comments too: `GPTBot` of `(compatible; GPTBot/1.2)`. Once
 * each, however often it says them: every one is looked up in the rules.
 */
const productsOf = (userAgent: string): ReadonlySet<string> =>
  new Set(
    userAgent
      .toLowerCase()
      // Where to read of it is no name: a link may say whose it is not.
      .replace(/https?:[^\s;,()"'<>]*/g, " ")
      .split(/[\s;,()+:"'[\]{}<>|=]+/)
      .map((word) => word.split("/", 1)[0] ?? "")
      .filter((name) => /^[\w.-]+$/.test(name)),
  );
