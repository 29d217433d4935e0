import type { Position } from "../../read-model/reader/feed/position.ts";
import type { Reader, Snapshot } from "../../read-model/reader/reader.ts";
import { formatPage } from "../../surfaces/feed/page.ts";
import { type ChangesRequest, formatNext } from "../../surfaces/feed/request.ts";
import { type ErrorCode, type ErrorDetails, errorReply, notFound } from "../error-reply.ts";
import { type Exchange, getHeader, type Handler, type HasModel } from "../exchange.ts";
import { type FeedQuery, parseFeedQuery } from "../feed/feed-query.ts";
import { readSharedPage, requiredOf, type SharedPage } from "../feed/follower.ts";
import type { Followers } from "../feed/followers.ts";
import { toStartOver } from "../feed/start-over.ts";
import { openStream } from "../feed/stream.ts";
import { waitForChanges } from "../feed/wait.ts";
import type { ReachPosition } from "../middleware/min-position.ts";
import { encodeText, noReply, type Reply } from "../reply.ts";

export interface FeedDeps {
  readonly followers: Followers;
  readonly reachPosition: ReachPosition;
}

/** Serves `GET /agent/changes` (Contract §11). */
export const changes =
  ({ followers, reachPosition }: FeedDeps): Handler<HasModel> =>
  (exchange) => {
    const query = parseFeedQuery(readParameters(exchange));
    if (typeof query === "string") return refuse(exchange, "bad_request", query);
    return answerAt(exchange, query, reachPosition, (reader) => {
      const page = readSharedPage(reader, (snapshot, position) =>
        toRequest(query, position, snapshot),
      );
      const isEmpty = page.position !== null && page.changes.length === 0;
      return isEmpty && query.wait > 0
        ? answerAfterWait(exchange, followers, page, query)
        : toReply(page);
    });
  };

/** Serves `GET /agent/changes/stream`, whose refusals are statuses, but a start over is an event. */
export const changesStream =
  ({ followers }: FeedDeps): Handler<HasModel> =>
  (exchange) => {
    const query = parseFeedQuery(readParameters(exchange), getHeader(exchange, "last-event-id"));
    if (typeof query === "string") return refuse(exchange, "bad_request", query);
    const position = exchange.model.position();
    if (!position) return withoutFeed(exchange);
    const { client } = exchange;
    if (!followers.hasRoom(client)) return tooMany(exchange);
    const { since } = query;
    const next = exchange.model.snapshot((snapshot) => toRequest(query, position, snapshot));
    const epoch = typeof since === "object" ? since.epoch : position.epoch;
    const headers = ["Content-Type", "text/event-stream", "X-Accel-Buffering", "no"];
    return {
      status: 200,
      body: null,
      headers: [...headers, "Cache-Control", "no-store, no-transform"],
      madeFrom: { position },
      takeOver: (response) => openStream({ client, epoch, next }, followers, response),
    };
  };

const readParameters = ({ target, path }: Exchange): URLSearchParams =>
  new URLSearchParams(target.slice(path.length));

const withoutFeed = (exchange: Exchange): Reply =>
  notFound(exchange, "The feed begins when the model of this version is built.");

const tooManyRetryAfter = 5;

const tooMany = (exchange: Exchange): Reply =>
  refuse(exchange, "rate_limited", "Too many streams and waits are open.", {
    retryAfter: tooManyRetryAfter,
  });

/** Refuses a request with the position of the service. */
const refuse = (
  exchange: Exchange,
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
): Reply => ({
  madeFrom: { position: exchange.model?.position() },
  ...errorReply(exchange, code, message, details),
});

/** Answers from a model of the epoch of a query that has reached its position. */
const answerAt = (
  exchange: Exchange & HasModel,
  query: FeedQuery,
  reachPosition: ReachPosition,
  answer: (reader: Reader) => Reply | Promise<Reply>,
): Reply | Promise<Reply> => {
  const position = exchange.model.position();
  if (!position) return withoutFeed(exchange);
  const { since, walk } = query;
  if (typeof since !== "object") return answer(exchange.model);
  if (since.epoch !== position.epoch) return startOver(exchange, position, query);
  const { sequence } = requiredOf({ since, walk });
  return reachPosition(exchange, { epoch: since.epoch, sequence }, () => {
    const reader = exchange.reader() ?? exchange.model;
    const reached = reader.position();
    return reached?.epoch === since.epoch
      ? answer(reader)
      : startOver(exchange, reached ?? position, query);
  });
};

const answerAfterWait = (
  exchange: Exchange,
  followers: Followers,
  page: SharedPage,
  query: FeedQuery,
): Reply | Promise<Reply> => {
  if (!followers.hasRoom(exchange.client)) return tooMany(exchange);
  return waitForChanges(exchange, followers, page, query.wait).then((result) => {
    if ("startOver" in result) return startOver(exchange, result.startOver, query);
    return result.page ? toReply(result.page) : noReply;
  });
};

const startOver = (exchange: Exchange, position: Position, { kinds }: FeedQuery): Reply => {
  exchange.model = exchange.reader();
  const { message, code, ...more } = toStartOver(position, kinds);
  return refuse(exchange, code, message, { more });
};

const toRequest = (
  query: FeedQuery,
  { sequence }: Position,
  snapshot: Snapshot,
): ChangesRequest => {
  const { since, kinds, walk } = query;
  const start = { sequence: 0, instant: 0 };
  const now = { sequence, instant: snapshot.instant() };
  return { since: since === "start" ? start : since === "now" ? now : since, kinds, walk };
};

const toReply = (page: SharedPage): Reply => ({
  status: 200,
  body: encodeText(formatPage(page, formatNext(page.of.epoch, page.next))),
  type: "application/json; charset=utf-8",
  madeFrom: { position: page.of },
  ...(page.position === null ? { publicFor: 0 } : { headers: ["Cache-Control", "no-store"] }),
});
