import type { IncomingMessage } from "node:http";

/** Report of one request, for metrics, the log and traces. */
export interface Observation {
  /** Name of the route; `unknown` when none matched. */
  readonly route: string;
  readonly method: string;
  /** 499 when the client disconnected before the end of the reply. */
  readonly status: number;
  /** Time from the request's headers until the last byte was handed to the socket. */
  readonly seconds: number;
  /** Absent when the request belongs to no trace. */
  readonly trace?: TraceContext | undefined;
}

export type Observe = (observation: Observation) => void;

/** Trace that a request belongs to, and the span of its client (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly parentId: string;
  readonly isSampled: boolean;
}

/** Later versions of the format may have further members at the end. */
const format =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header `traceparent`. @returns undefined when it is absent or malformed, as the standard requires */
export const readTraceContext = ({
  headers,
}: Pick<IncomingMessage, "headers">): TraceContext | undefined => {
  const { traceparent } = headers;
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId = "", parentId = "", flags = "", more] = format.exec(traceparent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};
