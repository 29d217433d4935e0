import { type ErrorCode, VitrineError } from "../../errors.ts";
import type { CountAnswer, CountQuestion } from "../../http/rate-limit/ipc.ts";
import type { Snapshot } from "../../ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import type { Asked } from "../query-worker/protocol.ts";
import type { LookConfig, ProjectorConfig, ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import type { AgeTold } from "./roles/data-age.ts";

/** Input of each role. `look` is the query worker behind the ops port. */
interface Inputs {
  readonly projector: { readonly config: ProjectorConfig };
  /** Parsed rules, not their file: a restarted process must rank as the others do. */
  readonly http: { readonly config: ServeConfig; readonly synonyms: readonly SynonymRule[] };
  readonly look: { readonly config: LookConfig };
}

export type Role = keyof Inputs;

/** First message to a child process. */
export type Begin<R extends Role = Role> = Inputs[R] & {
  /** Name in metrics and logs: `projector`, `http-1` … */
  readonly name: string;
};

/** Later message to a child process. */
export type Answered = CountAnswer | AgeTold | Asked;

/** Message of a child process to the supervisor. */
export type Told =
  /** Asks for the start message. The cluster module drops messages that are sent before the child listens. */
  | { readonly kind: "hello" }
  | { readonly kind: "status"; readonly status: ProjectorStatus }
  | { readonly kind: "metrics"; readonly metrics: Snapshot }
  | { readonly kind: "listening" }
  /** Name of the generation that answers; null while there is none. */
  | { readonly kind: "serving"; readonly generation: string | null }
  /** Counts requests of all HTTP processes; the reply is a `CountAnswer`. */
  | CountQuestion
  /** Result of a query. */
  | { readonly kind: "looked"; readonly id: number; readonly answer: unknown }
  | ({ readonly kind: "cannotLook"; readonly id: number } & Refusal)
  /** Error that ends the child process. */
  | ({ readonly kind: "refused" } & Refusal);

/** A VitrineError in an IPC message. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Sends a message to the supervisor. Drops it when the supervisor is gone. */
export const tell = (message: Told): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

export const refusalOf = ({ code, message, hint }: VitrineError): Told => ({
  kind: "refused",
  code,
  message,
  hint,
});

export const errorOf = (error: Refusal): VitrineError =>
  new VitrineError(error.code, error.message, error.hint);
