import { readCheckpoint } from "../../read-model/store/read-checkpoint.ts";
import type { ProjectorContext } from "../context.ts";
import { discardDeadLetters, retryDeadLetters } from "../dead-letters/dead-letters.ts";
import type { Generation } from "../open-generation.ts";
import { promote, rollback } from "../rebuild/promote.ts";
import type { ControlRequest } from "./request.ts";
import { describeFailure, takeRequest } from "./server.ts";

/** Result of a control request. */
export interface ExecutionResult {
  /** Generation that the projector continues with. */
  readonly generation: Generation;
  /** Result for the client, as JSON. */
  readonly result: unknown;
}

/**
 * Serves the pending control requests, up to one that leads to another generation, which the projector continues with first. A
 * failed request changes nothing, and its client gets the error.
 */
export const serveRequests = async (
  context: ProjectorContext,
  current: Generation,
): Promise<Generation> => {
  const next = () =>
    takeRequest(context.directory.path, (err) =>
      context.logger.error({ err }, "an order cannot be taken"),
    );
  for (
    let currentRequest = next();
    currentRequest;
    currentRequest = context.signal.aborted ? undefined : next()
  ) {
    const { request } = currentRequest;
    let result: ExecutionResult;
    try {
      result = await executeRequest(context, current, request);
    } catch (error) {
      currentRequest.failed(error);
      context.logger[describeFailure(error).code === "internal" ? "error" : "warn"](
        { order: request.kind, err: error },
        "an order was refused",
      );
      continue;
    }
    currentRequest.done(result.result);
    context.logger.info({ order: request.kind }, "an order was carried out");
    if (result.generation !== current) return result.generation;
  }
  return current;
};

/** @throws VitrineError with the reason when the request fails */
export const executeRequest = async (
  context: ProjectorContext,
  current: Generation,
  request: ControlRequest,
): Promise<ExecutionResult> => {
  switch (request.kind) {
    case "adopt":
      return toSwapResult(await promote(context, current, request.scratch), current);
    case "rollback":
      return toSwapResult(await rollback(context, current), current);
    case "retry": {
      const { eventLog, rendering, operator } = context;
      const { sequences } = request;
      const report = await retryDeadLetters(current, eventLog, rendering, operator, sequences);
      const checkpoint = readCheckpoint(current.store);
      if (checkpoint) context.progress.setGeneration(current.name, checkpoint);
      return { generation: current, result: report };
    }
    case "discard":
      return {
        generation: current,
        result: discardDeadLetters(current, context.operator, request.sequences),
      };
    default:
      throw new TypeError(`no request ${JSON.stringify(request satisfies never)}`);
  }
};

const toSwapResult = (next: Generation, previous: Generation): ExecutionResult => ({
  generation: next,
  result: { generation: next.name, previous: previous.name } satisfies SwapResult,
});

/** Result of `adopt` and `rollback`, as JSON: names of generations. */
export interface SwapResult {
  readonly generation: string;
  readonly previous: string;
}
