import { type ErrorCode, VitrineError } from "../../errors.ts";
import type { CountAnswer, CountQuestion } from "../../http/rate-limit/ipc.ts";
import type { Snapshot } from "../../ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../projector/status.ts";
import type { Asked } from "../query-worker/protocol.ts";
import type { LookConfig, ProjectorConfig, ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";
import type { AgeTold } from "./roles/data-age.ts";

/** What a process of each role is given; `look` looks things up for the ops port. */
interface Inputs {
  readonly projector: { readonly config: ProjectorConfig };
  /** The parsed synonyms, not their file: a process that starts again must rank as the others do. */
  readonly http: { readonly config: ServeConfig; readonly synonyms: readonly SynonymRule[] };
  readonly look: { readonly config: LookConfig };
}

export type Role = keyof Inputs;

/** The first thing a started process is told. */
export type Begin<R extends Role = Role> = Inputs[R] & {
  /** `projector`, `http-1` …: what metrics and logs call it. */
  readonly name: string;
};

/** What a started process may be told after that. */
export type Answered = CountAnswer | AgeTold | Asked;

/** What a process tells the one that started it. */
export type Told =
  /** It listens: only now may it be told to begin, as the cluster module drops what comes earlier. */
  | { readonly kind: "hello" }
  | { readonly kind: "status"; readonly status: ProjectorStatus }
  | { readonly kind: "metrics"; readonly metrics: Snapshot }
  | { readonly kind: "listening" }
  /** The generation that answers; null while there is none. */
  | { readonly kind: "serving"; readonly generation: string | null }
  /** It counts requests, with the other HTTP processes; answered by `CountAnswer`. */
  | CountQuestion
  /** What was looked up. */
  | { readonly kind: "looked"; readonly id: number; readonly answer: unknown }
  | ({ readonly kind: "cannotLook"; readonly id: number } & Refusal)
  /** It cannot go on, and ends. */
  | ({ readonly kind: "refused" } & Refusal);

/** A VitrineError as it crosses process borders. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Says something to the process that started this one; lost when that is gone. */
export const tell = (told: Told): void => {
  if (process.connected) process.send?.(told, undefined, undefined, () => undefined);
};

export const refusalOf = ({ code, message, hint }: VitrineError): Told => ({
  kind: "refused",
  code,
  message,
  hint,
});

export const errorOf = (told: Refusal): VitrineError =>
  new VitrineError(told.code, told.message, told.hint);
