import type { DeadLettersAsked } from "../../ops/console/types.ts";

/** What the ops port has looked up in the data directory, as it crosses process borders. */
export type LookUp =
  | { readonly kind: "deadLetters"; readonly asked: DeadLettersAsked }
  | { readonly kind: "deadLetter"; readonly sequence: number }
  | { readonly kind: "explain"; readonly subject: string }
  | { readonly kind: "generations" };

/** Told to the process that looks. */
export interface Asked {
  readonly kind: "look";
  readonly id: number;
  readonly lookUp: LookUp;
}
