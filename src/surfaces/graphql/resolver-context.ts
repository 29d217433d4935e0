import type { Logger } from "../../log.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";

/** Per-request data of resolvers: a snapshot of the read model, and settings of the service. */
export interface ResolverContext {
  readonly snapshot: Snapshot;
  /** Canonical URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly budget: ResponseBudget;
}

/** State of a response while it is written. */
export interface ResponseBudget {
  /** Fields and list entries that were written, without those of categories and policies. */
  fields: number;
  /** Characters of all texts, counted because an alias repeats a long one for a few bytes. */
  characters: number;
  /** Variants of the products of which a field read some, counted for each such field. */
  variants: number;
  /** Whether a resolver failed, so that a retry may give another response. */
  isIncomplete: boolean;
}
