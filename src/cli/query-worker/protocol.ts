import type { DeadLettersAsked } from "../../ops/console/types.ts";

/** A query of the ops port, as IPC carries it. */
export type LookUp =
  | { readonly kind: "deadLetters"; readonly asked: DeadLettersAsked }
  | { readonly kind: "deadLetter"; readonly sequence: number }
  | { readonly kind: "explain"; readonly subject: string }
  | { readonly kind: "generations" };

/** Message to the query worker. */
export interface Asked {
  readonly kind: "look";
  readonly id: number;
  readonly lookUp: LookUp;
}
