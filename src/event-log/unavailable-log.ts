import type { VitrineError } from "../errors.ts";
import type { EventLog } from "./event-log.ts";

/**
 * Stands in for a log that could not be opened: every call rejects as the opening did.
 * @param why `event_log`
 */
export const logAway = (address: string, why: VitrineError): EventLog => {
  const refuse = (): Promise<never> => Promise.reject(why);
  return {
    address,
    identity: refuse,
    bounds: refuse,
    find: refuse,
    append: refuse,
    at: refuse,
    newestOf: refuse,
    async *read() {
      throw why;
    },
    onReconnect: () => () => undefined,
    close: () => Promise.resolve(),
  };
};
