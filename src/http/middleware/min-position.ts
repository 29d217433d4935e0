import { type Position, parsePosition } from "../../read-model/reader/feed/position.ts";
import { errorReply } from "../error-reply.ts";
import { type Exchange, getHeader, type Layer, pathOf } from "../exchange.ts";
import type { CommitTimer } from "../feed/commit-timer.ts";
import { noReply, type Reply } from "../reply.ts";

/** Maximum wait of a request in milliseconds. */
const maxWaitMs = 2_000;

/** Maximum number of requests that wait in a process. Another one is refused at once. */
const maxWaiting = 200;

/** Seconds. */
const retryAfter = 1;

type Required = Pick<Position, "epoch" | "sequence">;

/** Answers from a model that has reached a position: waits for it, and refuses when it does not come. */
export type ReachPosition = (
  exchange: Exchange,
  required: Required,
  answer: () => Reply | Promise<Reply>,
) => Reply | Promise<Reply>;

/** Creates the waits of a process. Without a model a request is passed on. */
export const createReachPosition = (timer: CommitTimer): ReachPosition => {
  let waiting = 0;
  const wait = async (exchange: Exchange, required: Required): Promise<void> => {
    waiting += 1;
    await untilReached(timer, exchange, required);
    waiting -= 1;
    exchange.leaveTick();
  };
  return (exchange, required, answer) => {
    const position = exchange.reader()?.position();
    if (waiting >= maxWaiting || !isBehind(position, required))
      return refuse(exchange, required) ?? answer();
    return wait(exchange, required).then(() =>
      exchange.request.socket.destroyed ? noReply : (refuse(exchange, required) ?? answer()),
    );
  };
};

/** Waits for a position, at most for the maximum time and until the client disconnects. */
const untilReached = (timer: CommitTimer, exchange: Exchange, required: Required) => {
  const endsAt = performance.now() + maxWaitMs;
  return new Promise<void>((resolve) => {
    const check = (): void => {
      const isOver = performance.now() >= endsAt || exchange.request.socket.destroyed;
      if (!isOver && isBehind(readPosition(exchange), required)) return;
      timer.stop(check);
      resolve();
    };
    timer.start(check);
  });
};

/** @returns undefined, too, when the model cannot be read: the request, which waits no longer, meets the same error and reports it */
const readPosition = (exchange: Exchange): Position | undefined => {
  try {
    return exchange.reader()?.position();
  } catch {
    return undefined;
  }
};

/**
 * Answers from a model that is at least as new as the client demands (Contract §11). Without a model the route answers 503. A
 * preflight passes, because a page could not read its refusal.
 */
export const requireMinPosition =
  (reach: ReachPosition): Layer =>
  (next) =>
  (exchange) => {
    const text = exchange.minPosition ?? getHeader(exchange, "x-min-position");
    if (text === "" && exchange.minPosition === undefined) return next(exchange);
    if (exchange.method === "OPTIONS") return next(exchange);
    const required = parsePosition(text);
    return required ? reach(exchange, required, () => next(exchange)) : malformed(exchange);
  };

const malformed = (exchange: Exchange): Reply => {
  const name = exchange.minPosition === undefined ? "X-Min-Position" : parameter;
  return errorReply(exchange, "bad_request", `${name} must be a position, as X-Position has it.`);
};

/** Tests for an older position of the same epoch: then waiting helps. */
const isBehind = (position: Position | undefined, { epoch, sequence }: Required) =>
  position?.epoch === epoch && position.sequence < sequence;

/** @returns undefined when the newest commit is new enough, or there is no model */
const refuse = (exchange: Exchange, required: Required): Reply | undefined => {
  const reader = exchange.reader();
  if (!reader) return undefined;
  const position = reader.position();
  const headers = position ? ["X-Position", position.text] : [];
  if (isBehind(position, required))
    return errorReply(exchange, "precondition_failed", behind, { headers, retryAfter });
  if (position?.epoch === required.epoch) return undefined;
  return errorReply(exchange, "precondition_failed", otherEpoch, { headers });
};

const behind = "The data is not at this position yet.";
const otherEpoch =
  "The position is of another epoch, which cannot be compared: take a position of a newer answer.";

const parameter = "min_position";

/**
 * Takes `min_position` out of the query of a target, which selects neither a page nor a cached reply. A repeated one becomes
 * malformed, as a repeated header does.
 * @returns undefined when the target has none, as nearly every one
 */
export const takeMinPosition = (target: string | undefined) => {
  if (!target?.includes(parameter)) return undefined;
  const path = pathOf(target);
  const parts = target.slice(path.length + 1).split("&");
  const taken = parts.filter((part) => part.split("=", 1)[0] === parameter);
  if (taken.length === 0) return undefined;
  const rest = parts.filter((part) => !taken.includes(part)).join("&");
  return {
    target: rest === "" ? path : `${path}?${rest}`,
    minPosition: taken.map((part) => part.slice(parameter.length + 1)).join(),
  };
};
