import { setImmediate as nextTurn } from "node:timers/promises";
import { VitrineError } from "../errors.ts";
import { sleep } from "../platform/async.ts";
import { awaitRecovery } from "./await-recovery.ts";
import type { ProjectorContext } from "./context.ts";
import { startLogMonitor } from "./continuity/log-monitor.ts";
import { serveRequests } from "./control/execute.ts";
import { createInterrupt } from "./control/interrupt.ts";
import { failInterruptedRequests } from "./control/server.ts";
import { followGeneration } from "./follow.ts";
import { startHousekeeping } from "./housekeeping.ts";
import {
  createGeneration,
  type Generation,
  reopenGeneration,
  resumeGeneration,
} from "./open-generation.ts";
import { rebuild } from "./rebuild/rebuild.ts";
import type { RunContext } from "./run-context.ts";
import {
  type ActiveState,
  describeState,
  type Outcome,
  type State,
  toOutcome,
  transition,
} from "./state.ts";

/**
 * Runs the projector until the signal aborts. The projector applies the log to the live generation, and rebuilds into a new
 * one when the log no longer continues it. A failing projection faults the projector and leaves the process running: the
 * status reports the fault, and readers go on.
 * @throws `reopen` when another process must continue the work
 */
export const runProjector = async (options: ProjectorContext): Promise<void> => {
  failInterruptedRequests(options.directory.path);
  let state: State = { name: "following", generation: resumeGeneration(options.directory) };
  let bug: { readonly error: unknown } | undefined;
  const interrupt = createInterrupt(options);
  const monitor = startLogMonitor(options, (error) => {
    bug ??= { error };
    interrupt.abort();
  });
  const context: RunContext = { ...options, interrupt, monitor };
  const stopHousekeeping = startHousekeeping(context, () => state.generation);
  try {
    while (state.name !== "ended") {
      // Yields to timers and signals, because an activity may end immediately.
      await nextTurn();
      if (bug) throw bug.error;
      state = await step(context, state);
    }
  } finally {
    stopHousekeeping();
    monitor.stop();
    interrupt.stop();
    await state.generation.store.close();
  }
  if (state.error) throw state.error;
};

/** Serves the pending requests, runs the activity of the state, and enters the next state. */
const step = async (context: RunContext, state: ActiveState): Promise<State> => {
  if (context.signal.aborted) return enter(context, state, { kind: "stopped" });
  const generation = await serveRequests(context, state.generation);
  if (generation !== state.generation) return { name: "following", generation };
  return enter(context, state, await runActivity(context, state).catch(toOutcomeOrThrow));
};

/** @throws every error that is not expected */
const toOutcomeOrThrow = (error: unknown): Outcome => {
  if (error instanceof VitrineError) return toOutcome(error);
  throw error;
};

const runActivity = async (context: RunContext, state: ActiveState): Promise<Outcome> => {
  const outcome = await runToOutcome(context, state);
  if (outcome.kind !== "replayed" || context.signal.aborted) return outcome;
  return { ...outcome, generation: await reopenGeneration(outcome.generation, context.eventLog) };
};

const runToOutcome = async (context: RunContext, state: ActiveState): Promise<Outcome> => {
  // A request waits until a rebuild is over, because a rebuild begins again when it is interrupted.
  if (state.name === "rebuilding") return rebuildGeneration(context, state);
  const signal = context.interrupt.arm();
  const outcome = await runInterruptible({ ...context, signal }, state);
  if (outcome.kind !== "retry_due" || !signal.aborted) return outcome;
  return { kind: context.signal.aborted ? "stopped" : "request_pending" };
};

/** Runs an activity that ends when the signal of the context aborts. */
const runInterruptible = async (
  context: RunContext,
  state: Exclude<ActiveState, { readonly name: "rebuilding" }>,
): Promise<Outcome> => {
  if (state.name === "following") return followGeneration(context, state.generation);
  if (state.name === "waiting") await sleep(context.pollIntervalMs, context.signal);
  else await awaitRecovery(context, state);
  return { kind: "retry_due" };
};

const rebuildGeneration = async (
  context: RunContext,
  { generation, cause }: Extract<ActiveState, { readonly name: "rebuilding" }>,
): Promise<Outcome> => {
  // Polled before the rebuild, because events that arrive during it may be the ones it misses.
  await context.monitor.pollEnd();
  const logEnd = context.monitor.end();
  const result = await rebuild(context, generation, cause);
  if (result.ok) return { kind: "replayed", generation: result.generation };
  if (context.signal.aborted) return { kind: "stopped" };
  return { kind: "rebuild_refused", cause, reason: result.reason, logEnd, read: result.read };
};

/** Carries out the transition of an outcome, and reports the next state. */
const enter = async (
  context: ProjectorContext,
  state: ActiveState,
  outcome: Outcome,
): Promise<State> => {
  const next = transition(state, outcome, context.onDivergence);
  if (next.effect?.kind === "restart_first_replay") {
    context.logger.warn({ reason: next.effect.reason }, "the first replay begins again");
    try {
      return {
        name: "following",
        generation: await restartFirstReplay(context, state.generation),
      };
    } catch (error) {
      return enter(context, state, toOutcomeOrThrow(error));
    }
  }
  report(context, next.state);
  if (next.effect?.kind === "pause") await sleep(context.pollIntervalMs, context.signal);
  return next.state;
};

/** Replaces an unfinished first replay of other projections or of another log. Readers never saw it, so it is deleted. */
const restartFirstReplay = async (
  context: ProjectorContext,
  previous: Generation,
): Promise<Generation> => {
  const next = createGeneration(context.directory);
  await previous.store.close();
  context.directory.sweep(next.store.directory);
  return next;
};

const report = ({ logger, progress }: ProjectorContext, state: State): void => {
  const shown = state.name === "ended" ? undefined : describeState(state);
  if (shown === undefined) return;
  const { reason } = shown;
  if (shown.state === "rebuilding") logger.warn({ reason }, "rebuilding from the log");
  // Each retry fails with the same reason, which is logged once.
  if (shown.state === "faulted" && progress.currentFault() !== reason)
    logger.error({ reason }, "the projector applies no more events");
  progress.setState(shown.state, reason);
};
