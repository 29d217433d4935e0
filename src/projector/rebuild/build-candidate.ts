import { VitrineError } from "../../errors.ts";
import type { LogBounds } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { keepComparison } from "../../read-model/compare/comparison-file.ts";
import type { BuildingPhase } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ProjectorWorld } from "../context.ts";
import { type Generation, openGeneration } from "../open-generation.ts";
import { compareLive } from "./compare-at-checkpoint.ts";
import type { Former } from "./comparison-client.ts";
import { type Limit, type ReplayWorld, replay, wholeBounds } from "./replay.ts";
import type { Workplace } from "./scratch.ts";

/** What a command needs that builds a generation beside the live one. */
export interface BuildWorld extends Pick<ProjectorWorld, "eventLog" | "rendering" | "now"> {
  readonly directory: DataDirectory;
  readonly place: Workplace;
  /** Told how far it is: sequence reached, sequence gone to, bytes of events read. */
  readonly onProgress: (at: number, of: number, bytes: number) => void;
}

/** What was built, and what it differs in from the live generation. */
export interface Built {
  /** Undefined when there was no live generation, or its file is damaged. */
  readonly comparison: Comparison | undefined;
  /** What is wrong with the file of the live generation; undefined when nothing is. */
  readonly damage: VitrineError | undefined;
  /** Visible products of the live generation, 0 where even that cannot be read, and of the new one. */
  readonly products: { readonly before: number; readonly after: number };
  /** False when the log does not continue the live generation, so that the two were compared at different events. */
  readonly isContinued: boolean;
  /** The live generation as it was seen last; undefined where it cannot be told. */
  readonly former: Former | undefined;
  /** True when the log keeps only the newest event of a subject: what followed from the others is gone with them. */
  readonly isCompacted: boolean;
}

/**
 * Replays the log into the place of a command, compares it with the live generation at the very event that one
 * stands at, and goes on to the end of the log if that is wanted. The generation is closed when this settles.
 * @param begin fills the generation with something to begin from; by default it is empty
 * @throws `divergence` when the log was trimmed; `event_log`, `projection`, `not_writable` as a replay does; the reason
 * of the signal when that came first
 */
export const buildBeside = async (
  world: BuildWorld,
  isToEnd: boolean,
  begin?: (generation: Generation, replaying: ReplayWorld) => Promise<void>,
): Promise<Built> => {
  const bounds = await wholeBounds(world);
  const generation = openGeneration(world.place.path);
  try {
    const replaying = openReplay(world, bounds);
    await begin?.(generation, replaying);
    const bringOn = async (limit: Limit): Promise<boolean> => {
      await replay(replaying, generation, limit);
      return !replaying.signal.aborted;
    };
    const live = world.directory.live();
    const found = live
      ? await compareLive(comparing(world, bringOn, replaying.tellComparing), live, generation)
      : undefined;
    world.place.signal.throwIfAborted();
    if (isToEnd) await bringOn({});
    world.place.signal.throwIfAborted();
    if (live && found?.comparison) {
      keepComparison(world.place.path, found.comparison, live, world.now());
    }
    const { store } = generation;
    return {
      comparison: found?.comparison,
      damage: found?.damage,
      products: {
        before: found?.former?.products ?? 0,
        after: store.get(tables.counters, "products") ?? 0,
      },
      isContinued: found?.isContinued ?? true,
      former: found?.former,
      isCompacted: bounds.first > 1 || tallied(generation) < sequenceOf(generation),
    };
  } finally {
    await generation.store.close();
  }
};

const comparing = (
  { eventLog, place }: BuildWorld,
  bringOn: (limit: Limit) => Promise<boolean>,
  onLevel: () => void,
) => ({ eventLog, place: place.path, signal: place.signal, bringOn, onLevel });

/** A replay that tells how far it is, to the terminal and to status. */
export const openReplay = (
  { eventLog, rendering, place, onProgress }: Omit<BuildWorld, "directory" | "now">,
  { first, last }: LogBounds,
): ReplayWorld & { readonly tellComparing: () => void } => {
  let bytes = 0;
  let at = first - 1;
  const { signal, announce } = place;
  const tell = (phase: BuildingPhase): void =>
    announce.tell({ phase, at, of: Math.max(at, last), bytes });
  tell("replaying");
  return {
    eventLog,
    rendering,
    signal,
    onRead(sequence, more) {
      at = sequence;
      bytes += more;
      onProgress(at, Math.max(at, last), bytes);
      tell("replaying");
    },
    tellComparing: () => tell("comparing"),
  };
};

const checkpointOf = ({ store }: Generation) => store.get(tables.meta, "checkpoint");

const sequenceOf = (generation: Generation): number => checkpointOf(generation)?.sequence ?? 0;

/** How many events were read of the log. */
const tallied = (generation: Generation): number => {
  const { applied, stale, repeated, rejected } = checkpointOf(generation)?.tally ?? nothing;
  return applied + stale + repeated + rejected;
};

const nothing = { applied: 0, stale: 0, repeated: 0, rejected: 0 };
