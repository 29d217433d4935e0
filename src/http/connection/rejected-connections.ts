import type { Duplex } from "node:stream";
import type { Logger } from "../../log.ts";

/** Why a connection was refused, cut or closed for a fault of its client: labels of a metric. */
export const rejectionReasons = [
  /** One client had too many connections open. */
  "client_connection_limit",
  /** The process had too many connections open. */
  "connection_limit",
  /** Responses that clients left unread took too much memory. */
  "unread_responses",
  /** The client read nothing of its response for too long. */
  "stalled_response",
  /** Too many requests were sent without waiting for a response. */
  "pipelined_requests",
  /** A body came in too many small chunks. */
  "small_chunks",
  /** The bytes were no HTTP request, or one that others might read differently. */
  "malformed_request",
  /** Status 431. */
  "headers_too_large",
  /** Status 408. */
  "request_timeout",
  /** The method was CONNECT. */
  "tunnel",
  /** A request followed a response that said `Connection: close`. */
  "request_after_close",
] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

/** @param client its address, only where the reason is about that */
export type OnRejection = (reason: RejectionReason, client?: string) => void;

export type RejectConnection = (
  connection: Duplex,
  reason: RejectionReason,
  client?: string,
) => void;

/** Counts each connection once, by its first reason: Node reports every read of what it cannot parse. */
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
  /** Counts one rejection for the metrics. */
  readonly count: (reason: RejectionReason) => void;
  /** The shortest time between two log lines. */
  readonly everyMs?: number;
}

/**
 * Counts rejections, and logs how many there were of each reason: the first at once, later ones together, as whoever
 * causes one may cause thousands. Of the addresses that had too many connections it logs the last one.
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
