import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { createLogger } from "../../src/log.ts";
import type { ProjectorContext } from "../../src/projector/context.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { runProjector } from "../../src/projector/run.ts";
import type { ProjectorStatus } from "../../src/projector/status/status.ts";
import { createStatusTracker } from "../../src/projector/status/status-tracker.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../src/read-model/generations/data-directory.ts";
import { type OperatorReader, openOperatorReader } from "../../src/read-model/operator/state.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import type { Checkpoint } from "../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { type Digest, openStore, type Store } from "../../src/read-model/store/store.ts";
import { temporaryDirectory } from "./directory.ts";
import { openOperator } from "./operator.ts";

/** A projector that runs in this process, on a log and a data directory of the test. */
export interface TestProjector {
  readonly directory: DataDirectory;
  /**
   * Resolves when the generation is open. A reader that opens the directory earlier in this process would
   * make it read-only.
   */
  readonly opened: Promise<unknown>;
  status(): ProjectorStatus;
  /** Resolves when the status is as wanted; rejects with the current status after `seconds` (default 60). */
  until(wanted: (status: ProjectorStatus) => boolean, seconds?: number): Promise<ProjectorStatus>;
  /** Reads from the live generation, as another process does. */
  read<T>(question: (snapshot: Snapshot) => T): Promise<T>;
  digest(): Promise<Digest>;
  /** Epoch of the live generation. */
  epoch(): Promise<string | undefined>;
  /** Resolves with the error that stopped the projector. */
  readonly ended: Promise<VitrineError>;
  stop(): Promise<void>;
}

const rendering = createHtmlRenderer();

export const startProjector = (
  path: string,
  eventLog: EventLog,
  more: Partial<
    Pick<
      ProjectorContext,
      "onDivergence" | "rendering" | "continuityIntervalMs" | "onBatch" | "now"
    >
  > = {},
): TestProjector => {
  const directory = openDataDirectory(path);
  const progress = createStatusTracker(Date.now);
  const ended = new AbortController();
  const context: Omit<ProjectorContext, "operator"> = {
    directory,
    eventLog,
    rendering,
    logger: createLogger("silent", "test"),
    progress,
    now: Date.now,
    onDivergence: "rebuild",
    pollIntervalMs: 10,
    continuityIntervalMs: 50,
    signal: ended.signal,
    ...more,
  };
  const opened = openOperator(path);
  const run = async (): Promise<void> => {
    const operator = await opened;
    try {
      await runProjector({ ...context, operator });
    } finally {
      await operator.close();
    }
  };
  const running = run();
  running.catch(() => undefined);
  const whatEnded = new Promise<VitrineError>((resolve) => void running.catch(resolve));
  const withLive = async <T>(use: (store: Store, operator: OperatorReader) => T): Promise<T> => {
    const live = directory.live();
    if (live === undefined) throw new Error("no generation is live");
    const store = openStore(live, { readOnly: true });
    const operator = openOperatorReader(path);
    try {
      return use(store, operator);
    } finally {
      await store.close();
      await operator.close();
    }
  };
  return {
    directory,
    opened,
    status: progress.status,
    async until(wanted, seconds = 60) {
      const end = performance.now() + 1_000 * seconds;
      while (!wanted(progress.status())) {
        if (performance.now() > end) throw new Error(JSON.stringify(progress.status()));
        await delay(5);
      }
      return progress.status();
    },
    read: (question) =>
      withLive((store, operator) => openReader(store, [], operator).snapshot(question)),
    digest: () => withLive((store) => store.digest()),
    epoch: () => withLive((store) => openReader(store).position()?.epoch),
    ended: whatEnded,
    async stop() {
      ended.abort();
      await running;
    },
  };
};

/**
 * Checks that the live generation counted each of so many events exactly once. Rows cannot show this, because
 * later events may repeat what a lost event contained.
 */
export const mustCountEach = async (dataDir: string, events: number): Promise<void> => {
  const { tally } = await imprintAt(dataDir);
  const sum = Object.values(tally ?? {}).reduce((all, each) => all + each, 0);
  assert.is(sum, events, "events were lost, or counted twice");
};

/**
 * Checks that the live generation equals a clean replay of the log up to `last`, in rows and in event counts.
 * Rows alone cannot show a lost event that later events made up for.
 */
export const mustEqualReplay = async (
  dataDir: string,
  log: EventLog,
  last: number,
): Promise<void> => {
  assert.equal(await imprintAt(dataDir), await imprintOfReplay(log, last));
};

/**
 * Like `mustEqualReplay`, but compares only rows: for a log that no longer has some of the applied events.
 */
export const mustHoldRowsOfReplay = async (
  dataDir: string,
  log: EventLog,
  last: number,
): Promise<void> => {
  const clean = await imprintOfReplay(log, last);
  assert.equal((await imprintAt(dataDir)).digest, clean.digest);
};

/** Digest of all rows, and the numbers of applied, stale, duplicate and rejected events. */
export interface Imprint {
  readonly digest: Digest;
  readonly tally: Checkpoint["tally"] | undefined;
}

export const imprintOf = (store: Pick<Store, "digest" | "get">): Imprint => ({
  digest: store.digest(),
  tally: store.get(tables.meta, "checkpoint")?.tally,
});

/** Reads the imprint of the live generation of a data directory. */
export const imprintAt = async (dataDir: string): Promise<Imprint> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
  const imprint = imprintOf(store);
  await store.close();
  return imprint;
};

const imprintOfReplay = async (log: EventLog, last: number): Promise<Imprint> => {
  const home = temporaryDirectory();
  const clean = startProjector(home.path, log);
  try {
    await clean.until(isLiveAt(last));
    return await imprintAt(home.path);
  } finally {
    await clean.stop();
    home.remove();
  }
};

/** Appends events, valid or not, as a publisher does. */
export const append = (eventLog: EventLog, ...events: readonly CloudEvent[]) =>
  eventLog.append(
    events.map((event) =>
      toMessage({ ...event, subject: String(event.subject) }, Buffer.from(JSON.stringify(event))),
    ),
  );

/** Matches the state `live` at the end of the log. */
export const isLiveAt =
  (sequence: number) =>
  ({ state, checkpoint, lagEvents }: ProjectorStatus): boolean =>
    state === "live" && checkpoint >= sequence && lagEvents === 0;
