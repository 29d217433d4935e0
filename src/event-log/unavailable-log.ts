import type { VitrineError } from "../errors.ts";
import type { EventLog } from "./event-log.ts";

/**
 * A null object for a log that could not be opened: every call rejects with the error of the opening.
 * @param reason `event_log`
 */
export const unavailableLog = (address: string, reason: VitrineError): EventLog => {
  const reject = (): Promise<never> => Promise.reject(reason);
  return {
    address,
    identity: reject,
    bounds: reject,
    find: reject,
    append: reject,
    get: reject,
    latestOfSubject: reject,
    // biome-ignore lint/correctness/useYield: it rejects before it reads anything
    async *read() {
      throw reason;
    },
    onReconnect: () => () => undefined,
    close: () => Promise.resolve(),
  };
};
