import type { TraceContext } from "./trace-context.ts";

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
