import { parsePosition, type RequestedPosition } from "../../read-model/reader/feed/position.ts";
import { isLineKey, type LineKind, lineKinds } from "../../read-model/schema/lines.ts";

/** Parameters of the feed (Contract §11). */
export interface FeedQuery {
  readonly since: Since;
  readonly kinds: ReadonlySet<LineKind> | undefined;
  readonly walk: WalkParameters | undefined;
  /** Seconds. */
  readonly wait: number;
}

type Since = RequestedPosition | "start" | "now";

/** A walk that goes on after a line. */
interface WalkParameters extends RequestedPosition {
  readonly after: string;
}

/** Longest wait in seconds: proxies and the server itself end a silent response after 30. */
const maxWait = 25;

/**
 * Parses the parameters of the feed.
 * @param lastEventId of a stream; it goes before `since`
 * @returns a text for the client that says which parameter cannot be used
 */
export const parseFeedQuery = (
  parameters: URLSearchParams,
  lastEventId = "",
): FeedQuery | string => {
  const since = parseSince(lastEventId || parameters.get("since"));
  if (since === undefined)
    return `${lastEventId ? "Last-Event-ID" : "since"} must be start, now, or a position, as X-Position has it.`;
  const kinds = parseKinds(parameters.get("kinds"));
  if (kinds === null) return `kinds must be some of ${lineKinds.join(",")}.`;
  const walk = lastEventId ? undefined : parseWalk(parameters, since);
  if (walk === null) return "walk and after must be those of the next that was answered.";
  const wait = parameters.get("wait") ?? "0";
  if (!/^\d{1,9}$/.test(wait)) return "wait must be a whole number of seconds.";
  return { since, kinds, walk, wait: Math.min(Number(wait), maxWait) };
};

const parseSince = (text: string | null): Since | undefined =>
  text === "start" || text === "now" ? text : parsePosition(text ?? "");

/** @returns null for a kind that does not exist */
const parseKinds = (text: string | null): ReadonlySet<LineKind> | undefined | null => {
  if (text === null) return undefined;
  const names = text.split(",");
  const kinds = lineKinds.filter((kind) => names.includes(kind));
  return names.every((name) => kinds.some((kind) => kind === name)) ? new Set(kinds) : null;
};

/** @returns null for an address that the service did not answer with */
const parseWalk = (
  parameters: URLSearchParams,
  since: Since,
): WalkParameters | undefined | null => {
  const [walk, after] = [parameters.get("walk"), parameters.get("after")];
  if (walk === null && after === null) return undefined;
  const begin = parsePosition(walk ?? "");
  const continues =
    begin !== undefined &&
    typeof since === "object" &&
    begin.epoch === since.epoch &&
    begin.sequence >= since.sequence;
  return continues && after !== null && isLineKey(after) ? { ...begin, after } : null;
};
