import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { Refusal } from "../tool-error.ts";

/** What a tool tells: the facts as data, and the same facts as compact text for a client that shows only text. */
export interface Told {
  readonly structured: object;
  readonly text: string;
}

/** Told instead of an answer: what is wrong with the arguments, or why the shop cannot do it. */
export interface Refused {
  readonly refusal: Refusal;
}

export interface ToolWorld {
  /** Everything a call asks, it asks of one moment. */
  readonly moment: Snapshot;
  /** Canonical address of the service, without a slash at the end. */
  readonly baseUrl: string;
}

/** One tool of §4.2. Its schemas stand in `schema/tools/<name>.json`. */
export interface Tool<A> {
  readonly name: string;
  /** @param args valid by the tool's input schema */
  answer(world: ToolWorld, args: A): Told | Refused;
}

/** A product's or category's id as a client may write it. */
export type Id = number | string;

/** The number; one that no product can have for digits past what a number holds. */
export const idOf = (id: Id): number => {
  const value = Number(id);
  return Number.isSafeInteger(value) ? value : 0;
};
