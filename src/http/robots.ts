import { LRUCache } from "lru-cache";
import robotsParser from "robots-parser";
import type { CurrentReader, Reader } from "../read-model/reader.ts";
import type { Context, Step } from "./context.ts";
import { refuse } from "./refuse.ts";

/**
 * §5 rule 7: withdraws access from the agents that the shop's robots.txt names and keeps from a path.
 * The rules for `*` withdraw nothing, and `/robots.txt` itself stays open to all.
 */
export const robots = (current: FollowRobots): Step => {
  return (ctx, next) => {
    const withdraws = current();
    const isOpen = ctx.path === "/robots.txt";
    if (isOpen || !withdraws(ctx.get("User-Agent"), targetOf(ctx))) return next();
    return refuse(ctx, "forbidden", denied);
  };
};

const denied = "The shop's robots.txt denies this agent; do not try again as another.";

/** Tells what is withdrawn at the newest commit of a reader, the one that answers now unless given. */
export type FollowRobots = (reader?: Reader) => Withdraws;

/** What robots.txt says now; parsed anew only when its text changed. */
export const followRobots = (current: CurrentReader): FollowRobots => {
  let text = "";
  let withdraws = readRobots(text);
  return (reader = current()) => {
    const latest = textOf(reader, text);
    if (latest !== text) withdraws = readRobots(latest);
    text = latest;
    return withdraws;
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

/** Path and query as they were sent, of an absolute-form target too, whatever its scheme (RFC 9112, 3.2.2). */
const targetOf = (ctx: Context): string =>
  ctx.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "") || "/";

/** Letters and digits may be sent percent-encoded and mean the same (RFC 9309, 2.2.2). */
const plain = (text: string): string =>
  text.replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent);

/**
 * Characters of a path that are looked at. The parser tries one rule after another, and each character of one with a
 * wildcard at each of the path: where there are many of those, fewer characters count, so that no request waits for it.
 */
const longestPath = (text: string): number => {
  const withWildcards = text.match(/^[^#\n]*\*[^#\n]*/gm) ?? [];
  const characters = withWildcards.reduce((sum, line) => sum + line.length, 0);
  return Math.min(2_048, Math.max(64, Math.floor(mostCompared / Math.max(1, characters))));
};

/** Characters of rules, times those of a path: some tenth of a second. */
const mostCompared = 20_000_000;

/** The package says wrongly that it has a default export. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** Whether a User-Agent is kept from a path by its own name. */
export type Withdraws = (userAgent: string, path: string) => boolean;

/** User agents whose names were looked up lately. */
const remembered = 1_000;

/** Parses a robots.txt (RFC 9309). A group of several names, or several groups of one name, are the parser's matter. */
export const readRobots = (text: string): Withdraws => {
  const named = new Set<string>();
  // The parser takes names as they stand; a product token ends where RFC 9309 says, or a robot's number does.
  const tidy = plain(text).replace(agentLine, (_line, begin: string, name: string) => {
    if (name !== "*") named.add(name.toLowerCase());
    return begin + name;
  });
  if (named.size === 0) return () => false;
  const rules = parse(`${origin}/robots.txt`, tidy);
  const longest = longestPath(tidy);
  const namesOf = new LRUCache<string, readonly string[]>({
    max: remembered,
    memoMethod: (userAgent) => [...productsOf(userAgent)].filter((name) => named.has(name)),
  });
  return (userAgent, path) => {
    const names = namesOf.memo(userAgent);
    if (names.length === 0) return false;
    const address = origin + plain(path).slice(0, longest);
    return names.some((name) => rules.isAllowed(address, name) === false);
  };
};

/** The parser wants whole addresses; whose they are makes no difference. */
const origin = "http://shop.invalid";

const agentLine = /^(\ufeff?[ \t]*user-agent[ \t]*:[ \t]*)([\w.-]+|\*).*$/gim;

/**
 * Names of the products in a User-Agent, those inside its comments too: `GPTBot` of `(compatible; GPTBot/1.2)`. Once
 * each, however often it says them: every one is looked up in the rules.
 */
const productsOf = (userAgent: string): ReadonlySet<string> =>
  new Set(
    userAgent
      .toLowerCase()
      .split(/[\s;,()]+/)
      .map((word) => word.split("/", 1)[0] ?? "")
      .filter((name) => /^[\w.-]+$/.test(name)),
  );
