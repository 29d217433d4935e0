import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { checkLog } from "../continuity.ts";
import type { Generation } from "../open-generation.ts";
import { type Apart, type Former, openApart } from "./comparison-client.ts";
import type { Limit } from "./replay.ts";

/** What a new generation differs in from the one it is to follow. */
export interface Found {
  /** Undefined when the former generation could not be read, see `damage`. */
  readonly comparison: Comparison | undefined;
  /** Why not; undefined when it could. */
  readonly damage: VitrineError | undefined;
  /** The former generation at that moment; when it is damaged, as it was seen last, if it was. */
  readonly former: Former | undefined;
  /** False when the log does not continue it: it was compared with a generation at the end of the log. */
  readonly isContinued: boolean;
}

export interface ComparingWorld {
  readonly eventLog: EventLog;
  /** An existing directory for what is written down meanwhile. */
  readonly place: string;
  readonly signal: AbortSignal;
  /** Brings the new generation on, up to a limit; false when it must end. */
  readonly bringOn: (limit: Limit) => Promise<boolean>;
  /** Told when the new generation is where the former one stands. */
  readonly onLevel?: () => void;
}

/** Events the former generation may be ahead when it is held: a moment's work. */
const smallGap = 2_000;

/**
 * Brings a new generation to the very event a former one stands at, and compares the two there, while that one may
 * be written to by another process. One that the log no longer continues is compared at the end of the log.
 * @returns undefined when it must end
 * @throws as `bringOn` does; `comparison_unavailable` when the former generation could not be read for want of something else; a
 * damaged one is no error
 */
export const compareLive = async (
  world: ComparingWorld,
  former: string,
  built: Generation,
): Promise<Found | undefined> => {
  let apart: Apart | undefined;
  let seen: Former | undefined;
  try {
    apart = await openApart(former, world.place, world.signal);
    seen = await apart.look();
    const isContinued = await continues(world.eventLog, seen);
    const held = isContinued ? await level(world, apart) : await atEnd(world, apart);
    if (!held) return undefined;
    seen = held;
    world.onLevel?.();
    const comparison = await apart.compare(built.store.directory);
    return { comparison, damage: undefined, former: held, isContinued };
  } catch (error) {
    if (world.signal.aborted) return undefined;
    if (!(error instanceof VitrineError && error.code === "model_damaged")) throw error;
    return { comparison: undefined, damage: error, former: seen, isContinued: true };
  } finally {
    apart?.close();
  }
};

/** Times the former generation is run after before it is held, however far ahead it is then. */
const mostRuns = 20;

const continues = async (eventLog: EventLog, { checkpoint }: Former): Promise<boolean> =>
  checkpoint !== undefined && !(await checkLog(checkpoint, eventLog));

const atEnd = async ({ bringOn }: ComparingWorld, apart: Apart): Promise<Former | undefined> =>
  (await bringOn({})) ? apart.pin() : undefined;

/** Brings the new generation to where the former one is held; undefined when it must end. */
const level = async ({ bringOn }: ComparingWorld, apart: Apart): Promise<Former | undefined> => {
  let seen = await apart.look();
  for (let run = 0, gap = Number.POSITIVE_INFINITY; run < mostRuns && gap > smallGap; run += 1) {
    const sequence = sequenceOf(seen);
    if (!(await bringOn({ sequence }))) return undefined;
    seen = await apart.look();
    gap = sequenceOf(seen) - sequence;
  }
  const held = await apart.pin();
  return (await bringOn({ sequence: sequenceOf(held) })) ? held : undefined;
};

const sequenceOf = ({ checkpoint }: Former): number => checkpoint?.sequence ?? 0;
