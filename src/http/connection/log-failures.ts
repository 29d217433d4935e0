import type { Logger } from "../../log.ts";

/**
 * Creates a listener that logs why an answer could not be sent, unless its client disconnected: a client could fill the log
 * with that.
 */
export const logFailures =
  (log: Logger, message: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (!disconnectCodes.test(error.code ?? "")) log.error({ err: error }, message);
  };

/** Error codes of connections that ended early, and of the HTTP parser that waited for the rest. */
const disconnectCodes =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_.*)$/;
