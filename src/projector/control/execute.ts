import { readCheckpoint } from "../../read-model/store/store.ts";
import type { ProjectorContext } from "../context.ts";
import {
  type DiscardResult,
  discardDeadLetters,
  retryDeadLetters,
} from "../dead-letters/dead-letters.ts";
import type { RetryReport } from "../dead-letters/retry-report.ts";
import type { Generation } from "../open-generation.ts";
import { promote, rollback } from "../rebuild/promote.ts";
import type { RequestKind, RequestOf } from "./request.ts";
import { describeFailure, takeRequest } from "./server.ts";

/** Result of each kind of control request, as JSON. */
export interface ControlResults {
  readonly adopt: SwapResult;
  readonly rollback: SwapResult;
  readonly retry: RetryReport;
  readonly discard: DiscardResult;
}

/** Result of `adopt` and `rollback`: names of generations. */
export interface SwapResult {
  readonly generation: string;
  readonly previous: string;
}

interface ExecutionResult<K extends RequestKind> {
  /** Generation that the projector continues with. */
  readonly generation: Generation;
  /** Result for the client, as JSON. */
  readonly result: ControlResults[K];
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
      context.logger.error({ err }, "a control request cannot be taken"),
    );
  for (
    let currentRequest = next();
    currentRequest;
    currentRequest = context.signal.aborted ? undefined : next()
  ) {
    const { request } = currentRequest;
    let result: ExecutionResult<RequestKind>;
    try {
      result = await executeRequest(context, current, request);
    } catch (error) {
      currentRequest.failed(error);
      context.logger[describeFailure(error).code === "internal" ? "error" : "warn"](
        { request: request.kind, err: error },
        "a control request was refused",
      );
      continue;
    }
    currentRequest.done(result.result);
    context.logger.info({ request: request.kind }, "a control request was carried out");
    if (result.generation !== current) return result.generation;
  }
  return current;
};

/** @throws VitrineError with the reason when the request fails */
export const executeRequest = <K extends RequestKind>(
  context: ProjectorContext,
  current: Generation,
  request: RequestOf<K>,
): Promise<ExecutionResult<K>> => {
  const kind: K = request.kind;
  return handlers[kind](context, current, request);
};

const handlers: { readonly [K in RequestKind]: RequestHandler<K> } = {
  adopt: async (context, current, { scratch }) =>
    toSwapResult(await promote(context, current, scratch), current),
  rollback: async (context, current) => toSwapResult(await rollback(context, current), current),
  async retry({ eventLog, rendering, operator, progress }, current, { sequences }) {
    const report = await retryDeadLetters(current, eventLog, rendering, operator, sequences);
    const checkpoint = readCheckpoint(current.store);
    if (checkpoint) progress.setGeneration(current.name, checkpoint);
    return { generation: current, result: report };
  },
  discard: async ({ operator }, current, { sequences }) => ({
    generation: current,
    result: discardDeadLetters(current, operator, sequences),
  }),
};

type RequestHandler<K extends RequestKind> = (
  context: ProjectorContext,
  current: Generation,
  request: RequestOf<K>,
) => Promise<ExecutionResult<K>>;

const toSwapResult = (next: Generation, previous: Generation) => ({
  generation: next,
  result: { generation: next.name, previous: previous.name },
});
