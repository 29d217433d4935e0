import type { Position } from "../../read-model/reader/feed/position.ts";
import { type ChangesRequest, formatNext } from "../../surfaces/feed/request.ts";

/**
 * Builds what a follower of another epoch gets. The way out names the epoch of the service, because a shared cache may keep a page of
 * `since=start` of the former one.
 */
export const toStartOver = ({ epoch, text }: Position, kinds: ChangesRequest["kinds"]) => ({
  code: "start_over" as const,
  message: "The positions of this shop begin again: read it again from the address in next.",
  position: text,
  next: formatNext(epoch, { since: { sequence: 0, instant: 0 }, kinds, walk: undefined }),
});
