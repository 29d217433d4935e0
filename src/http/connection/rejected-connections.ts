import type { Duplex } from "node:stream";
import type { Logger } from "../../log.ts";

/**
 * Reasons for which a connection was rejected or closed through a fault of its client. They are labels of a
 * metric.
 */
export const rejectionReasons = [
  /** One client had too many open connections. */
  "client_connection_limit",
  /** The process had too many open connections. */
  "connection_limit",
  /** Unread responses took too much memory. */
  "unread_responses",
  /** The client read nothing of its response for too long. */
  "stalled_response",
  "pipelined_requests",
  /** A body came in too many small chunks. */
  "small_chunks",
  /** The bytes were not an HTTP request, or one that other parsers could read differently. */
  "malformed_request",
  /** Status 431. */
  "headers_too_large",
  /** Status 408. */
  "request_timeout",
  /** The method was CONNECT. */
  "tunnel",
  /** A request followed a response with `Connection: close`. */
  "request_after_close",
] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

/** @param client address, given only for `client_connection_limit` */
export type OnRejection = (reason: RejectionReason, client?: string) => void;

export type RejectConnection = (
  connection: Duplex,
  reason: RejectionReason,
  client?: string,
) => void;

/** Counts each connection once, by its first reason, because Node reports every read that it cannot parse. */
export const oncePerConnection = (onRejection: OnRejection): RejectConnection => {
  const rejected = new WeakSet<Duplex>();
  return (connection, reason, client) => {
    if (rejected.has(connection)) return;
    rejected.add(connection);
    onRejection(reason, client);
  };
};

interface ReportOptions {
  readonly log: Logger;
  readonly count: (reason: RejectionReason) => void;
  /** Minimum time between two log lines. */
  readonly everyMs?: number;
}

/**
 * Counts rejections, and logs their number per reason. The first is logged at once and later ones together,
 * because one client may cause thousands. Of the clients with too many connections, the last address is
 * logged.
 */
export const reportRejections = ({ log, count, everyMs = 60_000 }: ReportOptions): OnRejection => {
  const reasons = new Map<RejectionReason, number>();
  let client: string | undefined;
  let isScheduled = false;
  const report = (): void => {
    isScheduled = reasons.size > 0;
    if (!isScheduled) return;
    log.warn({ reasons: Object.fromEntries(reasons), client }, "connections were rejected");
    reasons.clear();
    client = undefined;
    setTimeout(report, everyMs).unref();
  };
  return (reason, from) => {
    count(reason);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    client = from ?? client;
    if (!isScheduled) report();
  };
};
