import { formatPosition } from "../../read-model/reader/feed/position.ts";
import { type LineKind, lineKinds } from "../../read-model/schema/lines.ts";
import { surfacePaths } from "../paths.ts";

/** A sequence of the log, and the instant at which prices and stocks were evaluated, milliseconds since 1970. */
export interface FeedPosition {
  readonly sequence: number;
  readonly instant: number;
}

/** A walk over more lines than one page has, from its first page on: it goes on after a key of a line. */
export interface Walk extends FeedPosition {
  readonly after: string;
}

/** What a page of the feed tells, of one epoch. */
export interface ChangesRequest {
  readonly since: FeedPosition;
  /** Undefined for the eight kinds of the contract. */
  readonly kinds: ReadonlySet<LineKind> | undefined;
  /** Undefined on a first page. */
  readonly walk: Walk | undefined;
}

export const formatFeedPosition = (epoch: string, { sequence, instant }: FeedPosition): string =>
  `${formatPosition(epoch, sequence)}.${String(instant).padStart(13, "0")}`;

/** Builds the address of a page, relative to the service. */
export const formatNext = (epoch: string, { since, kinds, walk }: ChangesRequest): string => {
  const parts = [
    `since=${since.sequence === 0 ? formatPosition(epoch, 0) : formatFeedPosition(epoch, since)}`,
    kinds && `kinds=${lineKinds.filter((kind) => kinds.has(kind)).join(",")}`,
    walk && `walk=${formatFeedPosition(epoch, walk)}&after=${walk.after}`,
  ];
  return `${surfacePaths.changes}?${parts.filter(Boolean).join("&")}`;
};
