import { formatPosition, type Position } from "../../read-model/reader/feed/position.ts";
import { surfacePaths } from "../../surfaces/paths.ts";

/**
 * Builds what a follower of another epoch gets. The way out names the epoch of the service, because a shared cache may keep a page of
 * `since=start` of the former one.
 */
export const toStartOver = ({ epoch, text }: Position) => ({
  code: "start_over" as const,
  message: "The positions of this shop begin anew: read it again from the address in next.",
  position: text,
  next: `${surfacePaths.changes}?since=${formatPosition(epoch, 0)}`,
});

export const startOverBody = (position: Position): string =>
  JSON.stringify({ error: toStartOver(position) });
