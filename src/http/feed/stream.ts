import type { ServerResponse } from "node:http";
import type { Position } from "../../read-model/reader/feed/position.ts";
import { formatPage } from "../../surfaces/feed/page.ts";
import type { ChangesRequest } from "../../surfaces/feed/request.ts";
import { isDraining } from "../connection/responses.ts";
import type { Follower, SharedPage } from "./follower.ts";
import type { Followers } from "./followers.ts";
import { toStartOver } from "./start-over.ts";

/** After this time without a message a check sends a position: after 15 seconds at the latest. */
const silenceMs = 13_000;
/** After this time, and up to twice as long, a stream ends: its client connects again, maybe to another process. */
const minLifeMs = 10 * 60_000;
/** Milliseconds after which a client connects again: random, because many lose their connection at once. */
const [minRetryMs, maxRetryMs] = [3_000, 8_000];

interface StreamStart extends Pick<Follower, "client" | "epoch"> {
  readonly next: ChangesRequest;
}

/** Sends a follower server-sent events (Contract §11), until its client ends them. */
export const openStream = (
  start: StreamStart,
  followers: Followers,
  response: ServerResponse,
): void => {
  const endsAt = performance.now() + minLifeMs * (1 + Math.random());
  let sentAt = 0;
  /** The latest page that may be claimed. */
  let claim: SharedPage | undefined;
  /** Set at first, and while a walk goes on: then also an empty page is sent. */
  let owesPosition = true;
  /** Writes to the socket at once, so that the time of a slice includes it: Node would write at the end of the tick. */
  const send = (message: string | Buffer): boolean => {
    sentAt = performance.now();
    response.socket?.cork();
    const takesMore = response.write(message);
    response.socket?.uncork();
    return takesMore;
  };
  /** Leaves first, because the response closes only when the client has read it. */
  const end = (message?: string): void => {
    followers.leave(follower);
    response.end(message);
  };
  const follower: Follower = {
    ...start,
    take(page) {
      if (page.position !== null) claim = page;
      const isSilent = page.changes.length === 0 && (page.position === null || !owesPosition);
      owesPosition = page.position === null;
      return isSilent || send(messageOf(page));
    },
    startOver(position: Position) {
      const error = toStartOver(position, follower.next.kinds);
      end(`event: start_over\ndata: ${JSON.stringify({ error })}\n\n`);
    },
    check(now) {
      if (response.writableNeedDrain) return;
      if (now > endsAt || isDraining(response.req.socket)) end();
      else if (now - sentAt > silenceMs)
        send(claim && !owesPosition ? positionEvent(claim) : ":\n\n");
    },
  };
  response.once("close", () => followers.leave(follower));
  response.on("drain", () => followers.resume(follower));
  const retryMs = minRetryMs + Math.floor(Math.random() * (maxRetryMs - minRetryMs + 1));
  send(`retry: ${retryMs}\n: changes of the shop\n\n`);
  followers.join(follower);
};

/** Formats the message of a page once for all followers that get it. */
const messageOf = (page: SharedPage): Buffer => {
  page.message ??= Buffer.from(page.changes.length === 0 ? positionEvent(page) : pageMessage(page));
  return page.message;
};

const pageMessage = (page: SharedPage): string => `${idLine(page)}data: ${formatPage(page)}\n\n`;

const positionEvent = (page: SharedPage): string => {
  const data = JSON.stringify({ position: page.position, as_of: page.as_of });
  return `event: position\n${idLine(page)}data: ${data}\n\n`;
};

const idLine = ({ position }: SharedPage): string => (position === null ? "" : `id: ${position}\n`);
