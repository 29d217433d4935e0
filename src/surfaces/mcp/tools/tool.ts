import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { UserError } from "../../user-error.ts";

/** Result of a tool: data, and the same data as compact text for clients that show only text. */
export interface ToolResult {
  readonly structured: object;
  /** Absent where the text is the JSON of the data. */
  readonly text?: string;
}

export interface ToolContext {
  /** Snapshot that all reads of one call share. */
  readonly snapshot: Snapshot;
  /** Canonical URL of the service, without a trailing slash. */
  readonly baseUrl: string;
}

/** One tool of Specification §4.2. Its schemas are in `schema/tools/<name>.json`. */
export interface Tool<A> {
  readonly name: string;
  /** @param args valid by the tool's input schema */
  answer(context: ToolContext, args: A): ToolResult | UserError;
}

/** Id of a product or category as a client may write it. */
export type Id = number | string;

/** Parses an id. @returns 0, which no product has, when the id exceeds MAX_SAFE_INTEGER */
export const parseId = (id: Id): number => {
  const value = Number(id);
  return Number.isSafeInteger(value) ? value : 0;
};
