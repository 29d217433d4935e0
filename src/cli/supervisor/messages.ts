import type { VitrineError } from "../../errors.ts";
import type { CountReply, CountRequest } from "../../http/rate-limit/ipc.ts";
import type { Logger } from "../../log.ts";
import type { ConsoleQuery } from "../../ops/console/api.ts";
import type { MetricsSnapshot, ProcessMetrics } from "../../ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../projector/status/status.ts";
import type { ProjectorConfig, QueryWorkerConfig, ServeConfig } from "../shared-options.ts";
import type { SynonymRule } from "../synonyms-file.ts";

interface Roles {
  readonly projector: {
    readonly input: { readonly config: ProjectorConfig };
    readonly toWorker: never;
    readonly toSupervisor: { readonly kind: "status"; readonly status: ProjectorStatus };
  };
  readonly http: {
    /** Parsed rules, not their file: a restarted process must rank as the others do. */
    readonly input: {
      readonly config: ServeConfig;
      readonly synonyms: readonly SynonymRule[];
      /** File descriptor of the supervisor's inherited socket; undefined when HTTP processes listen on the port themselves. */
      readonly socket: number | undefined;
    };
    readonly toWorker: CountReply | AgeMessage;
    readonly toSupervisor:
      | { readonly kind: "listening" }
      /** Name of the generation that answers; null while there is none. */
      | { readonly kind: "serving"; readonly generation: string | null }
      /** Counts requests of all HTTP processes; the reply is a `CountReply`. */
      | CountRequest;
  };
  /** Answers the queries of the ops port. */
  readonly query: {
    readonly input: { readonly config: QueryWorkerConfig };
    readonly toWorker: {
      readonly kind: "query";
      readonly id: number;
      readonly query: ConsoleQuery;
    };
    readonly toSupervisor:
      | { readonly kind: "listening" }
      /** Its JSON is undefined when there is nothing of that name. */
      | { readonly kind: "answer"; readonly id: number; readonly json: string | undefined }
      | ({ readonly kind: "queryError"; readonly id: number } & ErrorPayload);
  };
}

export type Role = keyof Roles;

/** First message to a child process. */
export type StartMessage<R extends Role = Role> = Roles[R]["input"] & {
  /** Name in metrics and logs: `projector`, `http-1` … */
  readonly name: string;
};

/** What a child process has in its role. */
export interface RoleContext<R extends Role> {
  readonly startMessage: StartMessage<R>;
  readonly log: Logger;
  readonly metrics: ProcessMetrics;
  readonly signal: AbortSignal;
  readonly shutdownRequested: Promise<void>;
}

/** Later message to a child process. */
export type SupervisorMessage<R extends Role = Role> = Roles[R]["toWorker"];

/** Message of a child process to the supervisor. */
export type WorkerMessage<R extends Role = Role> = CommonMessage | Roles[R]["toSupervisor"];

type CommonMessage =
  /** Asks for the start message. The cluster module drops messages that are sent before the child listens. */
  | { readonly kind: "hello"; readonly build: string }
  | { readonly kind: "metrics"; readonly metrics: MetricsSnapshot }
  /** Error that ends the child process. */
  | ({ readonly kind: "fatal" } & ErrorPayload);

export type ErrorPayload = Pick<VitrineError, "code" | "message" | "hint">;

/** Message of the supervisor to each HTTP process, about once per second. */
export interface AgeMessage {
  readonly kind: "age";
  /** Upper bound of the model's lag behind the log. */
  readonly seconds: number;
}
