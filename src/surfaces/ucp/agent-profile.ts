import { parseUrl } from "../../text/parse-url.ts";
import type { Refusal } from "./refusal.ts";

/** Longest address in characters. */
const maxLength = 2_048;

/**
 * Checks the address of the profile that an agent declares. Nothing is fetched: for a catalogue that everybody may read, a fetched profile
 * could only change one thing, a refusal.
 * @param given undefined when the agent declares none
 * @param baseUrl of the service: http is good only where both are on this machine
 */
export const checkAgentProfile = (given: unknown, baseUrl: string): Refusal | undefined => {
  const url = typeof given === "string" && given.length <= maxLength ? parseUrl(given) : undefined;
  if (!url || url.username + url.password !== "") return invalidProfile;
  const isLocal = [url, new URL(baseUrl)].every(({ hostname }) => loopback.test(hostname));
  const isGood = url.protocol === "https:" || (url.protocol === "http:" && isLocal);
  return isGood ? undefined : invalidProfile;
};

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const invalidProfile: Refusal = {
  code: "invalid_profile_url",
  content:
    'profile: declare the https address of your profile, in REST as UCP-Agent: profile="https://…", in MCP as meta.ucp-agent.profile',
};

/** Reads the address in `UCP-Agent`, a dictionary of RFC 8941. @returns undefined for another form, and without one */
export const readProfileHeader = (header: string): string | undefined => {
  let profile: string | undefined;
  for (let at = 0; at < header.length; at = member.lastIndex) {
    member.lastIndex = at;
    const [, key, value] = member.exec(header) ?? [];
    if (key === undefined) return undefined;
    if (key === "profile") profile = value?.startsWith('"') ? unquote(value) : undefined;
  }
  return profile;
};

const text = '"(?:[^"\\\\]|\\\\["\\\\])*"';
const item = `(?:${text}|[^\\s",;()]+)`;
const parameters = `(?:\\s*;\\s*[a-z*][a-z0-9_.*-]*(?:=${item})?)*`;
const list = `\\(\\s*(?:${item}${parameters}(?:\\s+${item}${parameters})*)?\\s*\\)`;

/** One member of a dictionary, with the comma behind it. */
const member = new RegExp(
  `\\s*([a-z*][a-z0-9_.*-]*)(?:=(${item}|${list}))?${parameters}\\s*(?:,(?=\\s*\\S)|$)`,
  "y",
);

const unquote = (value: string): string => value.slice(1, -1).replace(/\\(["\\])/g, "$1");
