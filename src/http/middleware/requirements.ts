import { errorReply } from "../error-reply.ts";
import {
  check,
  type Exchange,
  getHeader,
  type HasModel,
  hasModel,
  type Layer,
} from "../exchange.ts";
import type { Reply } from "../reply.ts";
import type { DataAge } from "../send.ts";

/** Selects the live generation. Without one it answers 503, and never an empty catalogue. */
export const requireModel: Layer<HasModel> = (next) => (exchange) => {
  exchange.model = exchange.reader();
  return hasModel(exchange) ? next(exchange) : unavailable(exchange);
};

/** A first replay takes a few seconds. */
const retryAfter = 5;

export const unavailable = (exchange: Exchange): Reply =>
  errorReply(exchange, "unavailable", "The catalogue is being loaded.", { retryAfter });

/** Seconds: a replica that is behind needs at least as long to catch up. */
const youngerRetryAfter = 1;

/**
 * Answers 503 when the data may be older than the seconds in `X-Max-Data-Age`. A proxy in front of several replicas sends the header,
 * and asks another replica then. A request without it is answered at any age.
 */
export const limitDataAge = (dataAge: DataAge): Layer =>
  check((exchange: Exchange) => {
    const header = getHeader(exchange, "x-max-data-age");
    if (header === "") return undefined;
    if (!/^\d{1,10}$/.test(header))
      return errorReply(exchange, "bad_request", "X-Max-Data-Age must be a number of seconds.");
    const age = dataAge();
    if (age !== undefined && age <= Number(header)) return undefined;
    const message =
      age === undefined
        ? "The age of the data is not known yet."
        : `The data may be ${Math.ceil(age)} seconds old.`;
    return errorReply(exchange, "unavailable", message, { retryAfter: youngerRetryAfter });
  });
