import type { IncomingMessage, ServerResponse } from "node:http";
import type { CurrentReader, Reader } from "../read-model/reader/reader.ts";
import { wasPipelined } from "./connection/responses.ts";
import type { Reply } from "./reply.ts";

/** Sources of the live generation. */
interface LiveReaders {
  /** At a time on the clock of `performance`, only for the tick that reads a request (`route.ts`). */
  readonly perTick: (now: number) => Reader | undefined;
  readonly current: CurrentReader;
}

type RequestParts = Pick<
  Exchange,
  "request" | "response" | "target" | "minPosition" | "client" | "route" | "headers"
>;

/**
 * One request on its way through the layers, with what every reply to it has in common. A class with all members that layers set: V8
 * takes longer to add a member to an object than most layers take.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query in the form of `normalizeTarget`, without `min_position`; `*` for the server itself. */
  readonly target: string;
  /** Position in the query that the reply must have reached (`middleware/min-position.ts`). */
  readonly minPosition: string | undefined;
  readonly path: string;
  /** Address or network that the request is counted for. */
  readonly client: string;
  /** Arrival time, on the clock of `performance`. */
  readonly startedAt = performance.now();
  /** Name of the route for metrics. */
  route: string;
  /** Headers of any reply, names and values in turn. Layers add to them. */
  readonly headers: string[];
  /** Headers for this client alone, which a reply in a shared cache must not have. */
  readonly clientHeaders: string[] = [];
  /** Generation that the reply is computed from, so that it carries the age of its data. */
  model: Reader | undefined = undefined;
  /** Body of the request, once it is read. */
  body: Buffer | undefined = undefined;
  private readonly readers: LiveReaders;
  private isInTick: boolean;

  constructor(readers: LiveReaders, parts: RequestParts) {
    this.request = parts.request;
    this.response = parts.response;
    this.method = parts.request.method ?? "";
    this.target = parts.target;
    this.minPosition = parts.minPosition;
    this.path = pathOf(parts.target);
    this.client = parts.client;
    this.route = parts.route;
    this.headers = parts.headers;
    this.readers = readers;
    // A pipelined request starts in a later tick than the one that read it.
    this.isInTick = !wasPipelined(parts.request);
  }

  /** Selects the live generation, and reads its newest commit. */
  reader(): Reader | undefined {
    return this.isInTick ? this.readers.perTick(this.startedAt) : this.readers.current();
  }

  /** Continues in a callback of a timer, where the commit that was pinned for the requests of a tick may be too old. */
  leaveTick(): void {
    this.isInTick = false;
  }
}

/**
 * Answers a request. It returns a promise only if it waits for something: a promise costs a tick of microtasks.
 * @typeParam Needs what outer layers must have added to the exchange
 */
export type Handler<Needs = unknown> = (exchange: Exchange & Needs) => Reply | Promise<Reply>;

/**
 * Wraps a handler. It may answer by itself, add headers to the exchange, or replace the reply.
 * @typeParam Gives what it adds to the exchange for the handler
 */
export type Layer<Gives = unknown> = <Needs>(next: Handler<Needs & Gives>) => Handler<Needs>;

/** Set by `requireModel` and `requireValidToken`. */
export interface HasModel {
  readonly model: Reader;
}

/** Set by `jsonBody`. */
export interface HasBody {
  readonly body: Buffer;
}

export const hasModel = <E extends Exchange>(exchange: E): exchange is E & HasModel =>
  exchange.model !== undefined;

export const hasBody = <E extends Exchange>(exchange: E): exchange is E & HasBody =>
  exchange.body !== undefined;

/** Makes a layer of a check. @param reject returns the reply to a request that `next` must not get */
export const check =
  (reject: (exchange: Exchange) => Reply | undefined): Layer =>
  (next) =>
  (exchange) =>
    reject(exchange) ?? next(exchange);

/** Calls `then` with a value, at once unless the value is a promise. */
export const after = <A, B>(
  value: A | Promise<A>,
  then: (value: A) => B | Promise<B>,
): B | Promise<B> => (value instanceof Promise ? value.then(then) : then(value));

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

/**
 * Normalizes a request target to path and query without dot segments, also one in absolute form, with any
 * scheme (RFC 9112 §3.2.2). Routes, robots.txt and pages all use this form, because a difference between them
 * could be used to bypass one of them.
 * @param target from the request line, or already normalized
 * @returns undefined when it is not a valid URL
 */
export const normalizeTarget = (target: string): string | undefined => {
  if (plainTarget.test(target)) return target;
  const url = target.startsWith("/") ? `http://x${target}` : target.replace(/^[a-z]+:/i, "http:");
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Matches paths without escapes, query or segments that begin with a dot: they are in normal form. */
const plainTarget = /^(?:\/|(?:\/[\w~-][\w.~-]*)+\/?|\*)$/;

const escapes = /%[0-9a-f]{2}/gi;

export const uppercaseEscapes = (text: string): string =>
  text.replace(escapes, (hex) => hex.toUpperCase());

/** Decodes unreserved characters, and writes other percent-encoded octets in upper case (RFC 3986 §6.2.2). */
export const decodeUnreserved = (text: string): string =>
  uppercaseEscapes(text).replace(
    /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g,
    decodeURIComponent,
  );
