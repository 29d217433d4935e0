import { decodeUnreserved } from "../exchange.ts";
import { createGroup, type RobotsGroup, type RobotsRule } from "./match.ts";

/** Parses the groups of a robots.txt by product token in lower case, without `*`. */
export const parseGroups = (text: string): ReadonlyMap<string, readonly RobotsGroup[]> => {
  const groupsByName = new Map<string, RobotsGroup[]>();
  for (const { names, rules } of splitGroups(text)) {
    const group = createGroup(rules);
    for (const name of names) {
      const groups = groupsByName.get(name);
      if (groups) groups.push(group);
      else groupsByName.set(name, [group]);
    }
  }
  return groupsByName;
};

interface RawGroup {
  readonly names: Set<string>;
  readonly rules: RobotsRule[];
}

/** Splits a robots.txt into groups. Only a rule ends the names of a group (RFC 9309 §2.2.4). */
const splitGroups = (text: string): readonly RawGroup[] => {
  const groups: RawGroup[] = [];
  let group: RawGroup | undefined;
  let wasName = false;
  for (const [key, value] of parseRecords(text)) {
    const isName = key === "user-agent";
    if (isName && !wasName) {
      group = { names: new Set(), rules: [] };
      groups.push(group);
    }
    if (isName) addName(group, value);
    const isRule = key === "allow" || key === "disallow";
    if (isRule && value !== "") {
      group?.rules.push({ allow: key === "allow", pattern: toPattern(value) });
    }
    if (isName || isRule) wasName = isName;
  }
  return groups;
};

/** Converts a rule's path to a pattern. `$` is special only at the end, so others are escaped. */
const toPattern = (value: string): string => normalizePath(value).replace(/\$(?!$)/g, "%24");

function* parseRecords(text: string): Generator<readonly [key: string, value: string]> {
  for (const line of text.split(/[\r\n]+/)) {
    const record = line.split("#", 1)[0] ?? "";
    const colon = record.indexOf(":");
    const key = record.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (key !== "") yield [key, record.slice(colon + 1).trim()];
  }
}

/**
 * Adds a product token. It ends where RFC 9309 says, or before the version of a robot. A line that begins with a common word, such
 * as a complete User-Agent, names the robot of its comment: `Mozilla/5.0 (compatible; ExampleBot/1.0)`, `… (ExampleBot/1.0; +https://…)`.
 */
const addName = (group: RawGroup | undefined, value: string): void => {
  const first = /^[\w.-]+/.exec(value)?.[0].toLowerCase() ?? "";
  const inComments = [...value.matchAll(robotInComment)].map(([, name = ""]) => name.toLowerCase());
  const name = [first, ...(commonWords.has(first) ? inComments : [])].find(isRobot);
  if (name !== undefined) group?.names.add(name);
};

const robotInComment = /(?:\bcompatible;\s*|\((?=[^;()]*;\s*\+?https?:))([\w.-]+)/gi;

const isRobot = (name: string): boolean => name !== "" && !commonWords.has(name);

/** Words in the User-Agents of agents and browsers of many makers. They name no robot. */
const commonWords: ReadonlySet<string> = new Set(
  [
    "mozilla compatible applewebkit webkit khtml like gecko version mobile safari chrome chromium crios",
    "msie trident edg edge windows nt win64 wow64 x64 x86_64 macintosh intel mac os x cpu iphone ipad ipod",
    "linux android x11 u en en-us k build wv rv tablet desktop bot robot crawler spider http https",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Percent-encodes what a URL always, sometimes or never encodes, and decodes equivalent escapes (RFC 9309
 * §2.2.2).
 */
const normalizePath = (text: string): string =>
  decodeUnreserved(text.toWellFormed().replace(/[^!#-&(-;=?-Z_a-z~]+/g, percentEncode)).replace(
    /%2[89]/g,
    decodeURIComponent,
  );

const percentEncode = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27");

/**
 * Also escapes the special characters of patterns, for a path that contains them literally (RFC 9309 §2.2.3).
 */
export const escapePattern = (text: string): string =>
  normalizePath(text).replaceAll("*", "%2A").replaceAll("$", "%24");
