import type { DeadLetterParams } from "../../ops/console/types.ts";

/** A query of the ops port, as IPC carries it. */
export type Query =
  | { readonly kind: "deadLetters"; readonly params: DeadLetterParams }
  | { readonly kind: "deadLetter"; readonly sequence: number }
  | { readonly kind: "explain"; readonly subject: string }
  | { readonly kind: "generations" };

/** Message to the query worker. */
export interface QueryRequest {
  readonly kind: "look";
  readonly id: number;
  readonly query: Query;
}
