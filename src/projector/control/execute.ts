import { messageOf } from "../../errors.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ProjectorWorld } from "../context.ts";
import { discardDeadLetters, retryDeadLetters } from "../dead-letters/dead-letters.ts";
import type { Generation } from "../open-generation.ts";
import { adopt, rollback } from "../rebuild/promote.ts";
import type { Order } from "./request.ts";
import { refusalOf, takeOrder } from "./server.ts";

/** What an order came to: the generation to go on with, and what the asker is told. */
export interface Executed {
  readonly generation: Generation;
  readonly told: unknown;
}

/**
 * Carries out the orders that wait, up to one that leads to another generation: its caller must go on with that first.
 * One that fails changes nothing, and its asker is told why.
 */
export const executeOrders = async (
  world: ProjectorWorld,
  current: Generation,
): Promise<Generation> => {
  const next = () =>
    takeOrder(world.directory.path, (err) => world.log.error({ err }, "an order cannot be taken"));
  for (let taken = next(); taken; taken = world.signal.aborted ? undefined : next()) {
    const { order } = taken;
    let executed: Executed;
    try {
      executed = await lookingOn(world, () => executeOrder(world, current, order));
    } catch (error) {
      taken.failed(error);
      world.log[refusalOf(error).code === "internal" ? "error" : "warn"](
        { order: order.kind, err: error },
        "an order was refused",
      );
      continue;
    }
    taken.done(executed.told);
    world.log.info({ order: order.kind }, "an order was carried out");
    if (executed.generation !== current) return executed.generation;
  }
  return current;
};

/** Nothing is applied meanwhile: how far the model falls behind is told all the same. */
const lookingOn = async <T>(
  { eventLog, progress, lookEvery }: ProjectorWorld,
  work: () => Promise<T>,
): Promise<T> => {
  let isOver = false;
  let emptyEnd: number | undefined;
  const look = singleFlight(async (): Promise<void> => {
    const before = progress.status().logLast;
    try {
      const { last } = await eventLog.bounds();
      // Where nothing stands any more at its end it may hold nothing after the checkpoint, which is no lag.
      emptyEnd ??= (await eventLog.at(last)) ? Number.NaN : last;
      if (isOver) return;
      const { state, logLast } = progress.status();
      if (state === "waiting") progress.enter("replaying");
      progress.sawEnd(last === emptyEnd ? logLast : last, before);
    } catch (error) {
      // A bug is thrown by the work itself, too.
      if (!isOver) progress.lostSight(messageOf(error));
    }
  });
  void look();
  const looking = setInterval(() => void look(), lookEvery);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(looking);
  }
};

/** @throws VitrineError why it cannot be done */
export const executeOrder = async (
  world: ProjectorWorld,
  current: Generation,
  order: Order,
): Promise<Executed> => {
  switch (order.kind) {
    case "adopt":
      return swapped(await adopt(world, current, order.scratch), current);
    case "rollback":
      return swapped(await rollback(world, current), current);
    case "retry": {
      const { eventLog, rendering, operator } = world;
      const told = await retryDeadLetters(current, eventLog, rendering, operator, order.sequences);
      const checkpoint = current.store.get(tables.meta, "checkpoint");
      if (checkpoint) world.progress.begin(current.name, checkpoint);
      return { generation: current, told };
    }
    case "discard":
      return {
        generation: current,
        told: discardDeadLetters(current, world.operator, order.sequences),
      };
    default:
      throw new TypeError(`no request ${JSON.stringify(order satisfies never)}`);
  }
};

const swapped = (next: Generation, former: Generation): Executed => ({
  generation: next,
  told: { generation: next.name, previous: former.name } satisfies Swapped,
});

/** What `adopt` and `rollback` tell: names of generations. */
export interface Swapped {
  readonly generation: string;
  readonly previous: string;
}
