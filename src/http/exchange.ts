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
