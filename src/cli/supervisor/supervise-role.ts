import type { Logger } from "../../log.ts";
import type { createGauges } from "../../ops/metrics/gauges.ts";
import type { createMetricsAggregator } from "../../ops/metrics/process-metrics.ts";
import type { ExitReason } from "../../platform/exit-reason.ts";
import { type OnMessage, startProcess } from "./fork.ts";
import type { Role, StartMessage, WorkerMessage } from "./messages.ts";
import { type SupervisedProcess, supervise } from "./restart.ts";

interface RoleDeps {
  readonly log: Logger;
  readonly metrics: ReturnType<typeof createMetricsAggregator>;
  readonly gauges: ReturnType<typeof createGauges>;
}

export interface RoleHandlers<R extends Role> {
  /** Awaited before the first start, see `supervise`. */
  readonly turn?: (signal: AbortSignal) => Promise<void>;
  readonly onStart?: () => void;
  readonly onMessage: OnMessage<R>;
  /**
   * Called after each exit that was not requested.
   * @param fatal message of the error with which the process ended itself; undefined when it sent none
   */
  readonly onExit: (reason: ExitReason, fatal: string | undefined) => void;
}

export const superviseRole = <R extends Role>(
  { log, metrics, gauges }: RoleDeps,
  role: R,
  startMessage: StartMessage<R>,
  handlers: RoleHandlers<R>,
): SupervisedProcess => {
  const { name } = startMessage;
  let fatal: string | undefined;
  const onCommonMessage = (message: WorkerMessage): void => {
    if (message.kind === "metrics") metrics.update(name, message.metrics);
    if (message.kind !== "fatal") return;
    fatal = message.message;
    log.error(
      { process: name, reason: message.message, hint: message.hint },
      "a process cannot continue",
    );
  };
  const start = () => {
    handlers.onStart?.();
    return startProcess<R>(role, startMessage, (message, reply) => {
      onCommonMessage(message);
      handlers.onMessage(message, reply);
    });
  };
  const onExit = (reason: ExitReason): void => {
    handlers.onExit(reason, fatal);
    fatal = undefined;
    metrics.remove(name);
    gauges.restarted(name);
  };
  gauges.started(name);
  return supervise(name, start, onExit, log, handlers.turn);
};
