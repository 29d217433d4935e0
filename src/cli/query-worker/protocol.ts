import type {
  DeadLetterDetail,
  DeadLetterPage,
  DeadLetterParams,
  GenerationInfo,
} from "../../ops/console/types.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";

/** The queries of the ops port, each with its arguments and its result. */
export interface Queries {
  readonly deadLetters: { readonly args: DeadLetterParams; readonly result: DeadLetterPage };
  readonly deadLetter: {
    readonly args: { readonly sequence: number };
    readonly result: DeadLetterDetail | undefined;
  };
  readonly explain: { readonly args: { readonly subject: string }; readonly result: Explanation };
  readonly generations: {
    readonly args: Readonly<Record<never, never>>;
    readonly result: readonly GenerationInfo[];
  };
}

export type QueryName = keyof Queries;

/** Message to the query worker. */
export interface QueryRequest<K extends QueryName = QueryName> {
  readonly kind: "query";
  readonly id: number;
  readonly query: K;
  readonly args: Queries[K]["args"];
}

/** Message of the query worker. */
export interface QueryResult<K extends QueryName = QueryName> {
  readonly kind: "result";
  readonly id: number;
  readonly query: K;
  readonly result: Queries[K]["result"];
}
