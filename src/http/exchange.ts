import type { IncomingMessage, ServerResponse } from "node:http";
import type { CurrentReader, Reader } from "../read-model/reader/reader.ts";
import { wasPipelined } from "./connection/pipelining.ts";

/** One request on its way through the layers (`pipeline.ts`), with what every reply to it has in common. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query in the form of `normalizeTarget`; `*` for the server itself. */
  readonly target: string;
  readonly path: string;
  /** Address or network that the request is counted for. */
  readonly client: string;
  /** Arrival time, on the clock of `performance`. */
  readonly startedAt: number;
  /** Name of the route for metrics. */
  route: string;
  /** Headers of any reply, names and values in turn. Layers add to them. */
  readonly headers: string[];
  /** Headers for this client alone, which a reply in a shared cache must not have. */
  readonly clientHeaders: string[];
  /** Whether a generation was selected, so that the reply carries the age of its data. */
  hasModel: boolean;
  /** Selects the live generation, and reads its newest commit. */
  reader(): Reader | undefined;
  /** Continues in a callback of a timer, where the commit that was pinned for the requests of a tick may be too old. */
  leaveTick(): void;
}

/** Sources of the live generation. */
interface LiveReaders {
  /** At a time on the clock of `performance`, only for the tick that reads a request (`answer-requests.ts`). */
  readonly perTick: (now: number) => Reader | undefined;
  readonly current: CurrentReader;
}

type RequestParts = Pick<
  Exchange,
  "request" | "response" | "target" | "client" | "route" | "headers"
>;

export const createExchange = (
  { perTick, current }: LiveReaders,
  parts: RequestParts,
): Exchange => {
  const startedAt = performance.now();
  // A pipelined request starts in a later tick than the one that read it.
  let isInTick = !wasPipelined(parts.request);
  return {
    ...parts,
    method: parts.request.method ?? "",
    path: pathOf(parts.target),
    startedAt,
    clientHeaders: [],
    hasModel: false,
    reader: () => (isInTick ? perTick(startedAt) : current()),
    leaveTick() {
      isInTick = false;
    },
  };
};

/** Reads a header of the request. @returns "" when it is absent */
export const getHeader = ({ request }: Exchange, name: string): string =>
  String(request.headers[name] ?? "");

export const pathOf = (target: string): string => {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
};

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
const traceparentFormat =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header `traceparent`. @returns undefined when it is absent or malformed, as the standard requires */
export const readTraceContext = ({
  headers,
}: Pick<IncomingMessage, "headers">): TraceContext | undefined => {
  const { traceparent } = headers;
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId = "", parentId = "", flags = "", more] =
    traceparentFormat.exec(traceparent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};
