import type { Reader } from "../read-model/reader/reader.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";

/**
 * Answers a request. It returns a promise only if it waits for something: a promise costs a tick of microtasks.
 * @typeParam Needs what outer layers must have added to the exchange
 */
export type Handler<Needs = unknown> = (exchange: Exchange & Needs) => Reply | Promise<Reply>;

/**
 * Wraps a handler. It may answer by itself, add headers to the exchange, or replace the reply.
 * @typeParam Gives what it adds to the exchange for the handler
 */
export type Layer<Gives = unknown> = <Needs>(next: Handler<Needs & Gives>) => Handler<Needs>;

/** Added by `requireModel` and `requireValidToken`: the generation that the reply is computed from. */
export interface HasModel {
  readonly model: Reader;
}

/** Added by `jsonBody`. */
export interface HasBody {
  readonly body: Buffer;
}

/** Makes a layer of a check. @param reject returns the reply to a request that `next` must not get */
export const check =
  (reject: (exchange: Exchange) => Reply | undefined): Layer =>
  (next) =>
  (exchange) =>
    reject(exchange) ?? next(exchange);

/** Calls `then` with a value, at once unless the value is a promise. */
export const after = <A, B>(
  value: A | Promise<A>,
  then: (value: A) => B | Promise<B>,
): B | Promise<B> => (value instanceof Promise ? value.then(then) : then(value));
