import { type ErrorCode, VitrineError } from "../../errors.ts";
import type { CountReply, CountRequest } from "../../http/rate-limit/ipc.ts";
import type { MetricsSnapshot } from "../../ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import type { QueryRequest } from "../query-worker/protocol.ts";
import type { ProjectorConfig, QueryWorkerConfig, ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import type { AgeMessage } from "./roles/data-age.ts";

/** Input of each role. `look` is the query worker behind the ops port. */
interface Inputs {
  readonly projector: { readonly config: ProjectorConfig };
  /** Parsed rules, not their file: a restarted process must rank as the others do. */
  readonly http: { readonly config: ServeConfig; readonly synonyms: readonly SynonymRule[] };
  readonly look: { readonly config: QueryWorkerConfig };
}

export type Role = keyof Inputs;

/** First message to a child process. */
export type StartMessage<R extends Role = Role> = Inputs[R] & {
  /** Name in metrics and logs: `projector`, `http-1` … */
  readonly name: string;
};

/** Later message to a child process. */
export type SupervisorMessage = CountReply | AgeMessage | QueryRequest;

/** Message of a child process to the supervisor. */
export type WorkerMessage =
  /** Asks for the start message. The cluster module drops messages that are sent before the child listens. */
  | { readonly kind: "hello" }
  | { readonly kind: "status"; readonly status: ProjectorStatus }
  | { readonly kind: "metrics"; readonly metrics: MetricsSnapshot }
  | { readonly kind: "listening" }
  /** Name of the generation that answers; null while there is none. */
  | { readonly kind: "serving"; readonly generation: string | null }
  /** Counts requests of all HTTP processes; the reply is a `CountAnswer`. */
  | CountRequest
  /** Result of a query. */
  | { readonly kind: "looked"; readonly id: number; readonly answer: unknown }
  | ({ readonly kind: "cannotLook"; readonly id: number } & ErrorPayload)
  /** Error that ends the child process. */
  | ({ readonly kind: "refused" } & ErrorPayload);

/** A VitrineError in an IPC message. */
export interface ErrorPayload {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Sends a message to the supervisor. Drops it when the supervisor is gone. */
export const sendToSupervisor = (message: WorkerMessage): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

export const toFatalMessage = ({ code, message, hint }: VitrineError): WorkerMessage => ({
  kind: "refused",
  code,
  message,
  hint,
});

export const fromErrorPayload = (error: ErrorPayload): VitrineError =>
  new VitrineError(error.code, error.message, error.hint);
