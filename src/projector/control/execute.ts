import { messageOf } from "../../errors.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ProjectorWorld } from "../context.ts";
import { discardDeadLetters, retryDeadLetters } from "../dead-letters/dead-letters.ts";
import type { Generation } from "../open-generation.ts";
import { adopt, rollback } from "../rebuild/promote.ts";
import type { Order } from "./request.ts";
import { refusalOf, takeOrder } from "./server.ts";

/** Result of a control request. */
export interface Executed {
  /** Generation that the projector continues with. */
  readonly generation: Generation;
  /** Result for the client, as JSON. */
  readonly told: unknown;
}

/**
 * Serves the pending control requests, up to one that leads to another generation, which the projector continues with first. A
 * failed request changes nothing, and its client gets the error.
 */
export const executeOrders = async (
  context: ProjectorWorld,
  current: Generation,
): Promise<Generation> => {
  const next = () =>
    takeOrder(context.directory.path, (err) =>
      context.log.error({ err }, "an order cannot be taken"),
    );
  for (
    let currentRequest = next();
    currentRequest;
    currentRequest = context.signal.aborted ? undefined : next()
  ) {
    const { order: request } = currentRequest;
    let result: Executed;
    try {
      result = await whilePollingEnd(context, () => executeOrder(context, current, request));
    } catch (error) {
      currentRequest.failed(error);
      context.log[refusalOf(error).code === "internal" ? "error" : "warn"](
        { order: request.kind, err: error },
        "an order was refused",
      );
      continue;
    }
    currentRequest.done(result.told);
    context.log.info({ order: request.kind }, "an order was carried out");
    if (result.generation !== current) return result.generation;
  }
  return current;
};

/** Polls the end of the log during a request, so that the status reports the lag while the projector applies nothing. */
const whilePollingEnd = async <T>(
  { eventLog, progress, lookEvery }: ProjectorWorld,
  work: () => Promise<T>,
): Promise<T> => {
  let isOver = false;
  let emptyEnd: number | undefined;
  const pollEnd = singleFlight(async (): Promise<void> => {
    const before = progress.status().logLast;
    try {
      const { last } = await eventLog.bounds();
      // A log whose last record was deleted may hold no record after the checkpoint, which is no lag.
      emptyEnd ??= (await eventLog.at(last)) ? Number.NaN : last;
      if (isOver) return;
      const { state, logLast } = progress.status();
      if (state === "waiting") progress.enter("replaying");
      progress.sawEnd(last === emptyEnd ? logLast : last, before);
    } catch (error) {
      // Bugs are ignored here, because the work fails with them too.
      if (!isOver) progress.lostSight(messageOf(error));
    }
  });
  void pollEnd();
  const timer = setInterval(() => void pollEnd(), lookEvery);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(timer);
  }
};

/** @throws VitrineError with the reason when the request fails */
export const executeOrder = async (
  context: ProjectorWorld,
  current: Generation,
  request: Order,
): Promise<Executed> => {
  switch (request.kind) {
    case "adopt":
      return toSwapResult(await adopt(context, current, request.scratch), current);
    case "rollback":
      return toSwapResult(await rollback(context, current), current);
    case "retry": {
      const { eventLog, rendering, operator } = context;
      const { sequences } = request;
      const report = await retryDeadLetters(current, eventLog, rendering, operator, sequences);
      const checkpoint = current.store.get(tables.meta, "checkpoint");
      if (checkpoint) context.progress.begin(current.name, checkpoint);
      return { generation: current, told: report };
    }
    case "discard":
      return {
        generation: current,
        told: discardDeadLetters(current, context.operator, request.sequences),
      };
    default:
      throw new TypeError(`no request ${JSON.stringify(request satisfies never)}`);
  }
};

const toSwapResult = (next: Generation, previous: Generation): Executed => ({
  generation: next,
  told: { generation: next.name, previous: previous.name } satisfies Swapped,
});

/** Result of `adopt` and `rollback`, as JSON: names of generations. */
export interface Swapped {
  readonly generation: string;
  readonly previous: string;
}
