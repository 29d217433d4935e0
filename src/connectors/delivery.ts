import { parse } from "lossless-json";
import type { EventData, EventType } from "../events/event.ts";

/** A request that a platform sent, or one body of an import. */
export interface Delivery {
  /** Topic in the words of the platform: `products/update`. */
  readonly topic: string;
  /** Headers of the platform, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as `parseBody` returns it. */
  readonly body: unknown;
  /** UTC, as `toUtcTime` returns it. */
  readonly arrivedAt: string;
}

/** Members that connections of all platforms have. */
export interface Connection {
  /** Public address of the shop, without a slash at the end. */
  readonly url: string;
  readonly currency?: string;
  readonly language?: string;
  /** Time zone of times without an offset. */
  readonly timeZone?: string;
  /** Template of the addresses of categories, with `{name}`, `{slug}`, `{id}`. */
  readonly categoryUrl?: string;
}

/** An event without the attributes that the connection adds. */
export type DraftEvent = { readonly [T in EventType]: DraftOf<T> }[EventType];

export interface DraftOf<T extends EventType> {
  readonly type: T;
  readonly data: EventData[T] & ExternalId;
  /** UTC, as `toUtcTime` returns it. */
  readonly time: string;
}

/** The platform's own id, where the event has a number in its stead. */
export interface ExternalId {
  readonly externalId?: string;
}

/** What a translator makes of a delivery. */
export type Outcome = Translated | Ignored | Refused;

export interface Translated {
  readonly outcome: "translated";
  readonly events: readonly DraftEvent[];
  readonly changes: readonly StateChange[];
  /** How often a member that does not fit the contract was left out, by its name. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Subjects that the body has, and that no event of it restates. */
  readonly met?: readonly string[];
}

/** A valid delivery that changes no read model. */
export interface Ignored {
  readonly outcome: "ignored";
  readonly reason: string;
  /** Subjects that the body has. */
  readonly met?: readonly string[];
}

/** A delivery about goods that cannot be used. */
export interface Refused {
  readonly outcome: "refused";
  readonly reason: string;
  /** Path in the body: `variants[0].id`; empty for the whole body. */
  readonly path: string;
}

/** @param met subjects that the body has */
export const ignored = (reason: string, ...met: readonly string[]): Ignored => ({
  outcome: "ignored",
  reason,
  met,
});

export const refused = (path: string, reason: string): Refused => ({
  outcome: "refused",
  reason: `${path || "the body"} ${reason}`,
  path,
});

/** Reads rows of the state of a connection. */
export interface StateReader<Tables> {
  get<T extends keyof Tables & string>(table: T, key: string): Tables[T] | undefined;
}

/** A row to write; without `row` it is removed. */
export interface StateChange {
  readonly table: string;
  readonly key: string;
  readonly row: unknown;
}

/**
 * Parses JSON without rounding: a number that is no safe integer stays the text of its digits, because ids and prices
 * must not pass through a double.
 * @throws SyntaxError for text that is no JSON
 */
export const parseBody = (text: string): unknown => parse(text, undefined, parseNumber);

const parseNumber = (digits: string): number | string =>
  /^-?(0|[1-9]\d{0,15})$/.test(digits) && Number.isSafeInteger(Number(digits))
    ? Number(digits)
    : digits;
