import type { Reader } from "../../read-model/reader/reader.ts";
import { errorReply } from "../error-reply.ts";
import type { Exchange } from "../exchange.ts";
import type { HasModel, Layer } from "../pipeline.ts";
import type { Reply } from "../reply.ts";

/** Selects the live generation. Without one it answers 503, and never an empty catalogue. */
export const requireModel: Layer<HasModel> = (next) => (exchange) => {
  const model = exchange.reader();
  return model ? next(selectModel(exchange, model)) : unavailable(exchange);
};

export const selectModel = <E extends Exchange>(exchange: E, model: Reader): E & HasModel => {
  exchange.hasModel = true;
  return Object.assign(exchange, { model });
};

/** A first replay takes a few seconds. */
const retryAfter = 5;

export const unavailable = (exchange: Exchange): Reply =>
  errorReply(exchange, "unavailable", "The catalogue is being loaded.", { retryAfter });
