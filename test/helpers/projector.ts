import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/log.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { createLogger } from "../../src/log.ts";
import { createRendering } from "../../src/projector/rendering/index.ts";
import { runProjector } from "../../src/projector/run.ts";
import { type ProjectorStatus, trackProgress } from "../../src/projector/status.ts";
import type { ProjectorWorld } from "../../src/projector/world.ts";
import { type DataDirectory, openDataDirectory } from "../../src/read-model/generation.ts";
import { openReader } from "../../src/read-model/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader.ts";
import { type Digest, openStore } from "../../src/read-model/store.ts";
import { tables } from "../../src/read-model/tables.ts";
import { temporaryDirectory } from "./directory.ts";

/** A projector at work in this process, on a log and a data directory of the test's own. */
export interface TestProjector {
  readonly directory: DataDirectory;
  status(): ProjectorStatus;
  /** Resolves when the status is as wanted; rejects with the status there is after a minute, or so many seconds. */
  until(wanted: (status: ProjectorStatus) => boolean, seconds?: number): Promise<ProjectorStatus>;
  /** Asks the live generation, as another process would. */
  ask<T>(question: (moment: Snapshot) => T): Promise<T>;
  digest(): Promise<Digest>;
  stop(): Promise<void>;
}

const rendering = createRendering();

export const startProjector = (
  path: string,
  eventLog: EventLog,
  more: Partial<Pick<ProjectorWorld, "onDivergence" | "rendering" | "checkEvery" | "onBatch">> = {},
): TestProjector => {
  const directory = openDataDirectory(path);
  const progress = trackProgress(Date.now);
  const ended = new AbortController();
  const running = runProjector({
    directory,
    eventLog,
    rendering,
    log: createLogger("silent", "test"),
    progress,
    onDivergence: "rebuild",
    lookEvery: 10,
    checkEvery: 50,
    signal: ended.signal,
    ...more,
  });
  running.catch(() => undefined);
  const withLive = async <T>(use: (store: ReturnType<typeof openStore>) => T): Promise<T> => {
    const live = directory.live();
    if (live === undefined) throw new Error("no generation is live");
    const store = openStore(live, { readOnly: true });
    try {
      return use(store);
    } finally {
      await store.close();
    }
  };
  return {
    directory,
    status: progress.status,
    async until(wanted, seconds = 60) {
      const end = performance.now() + 1_000 * seconds;
      while (!wanted(progress.status())) {
        if (performance.now() > end) throw new Error(JSON.stringify(progress.status()));
        await delay(5);
      }
      return progress.status();
    },
    ask: (question) => withLive((store) => openReader(store).snapshot(question)),
    digest: () => withLive((store) => store.digest()),
    async stop() {
      ended.abort();
      await running;
    },
  };
};

/**
 * The live model of a data directory, at rest, counts each of so many events once. Rows do not tell that: what an event
 * that was lost had told, later ones told again.
 */
export const mustCountEach = async (dataDir: string, events: number): Promise<void> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
  const counted = Object.values(store.get(tables.meta, "checkpoint")?.tally ?? {});
  await store.close();
  const sum = counted.reduce((all, each) => all + each, 0);
  assert.is(sum, events, "events were lost, or counted twice");
};

/** The live model of a data directory, at rest, is what a clean replay of the log up to there gives. */
export const mustEqualReplay = async (
  dataDir: string,
  log: EventLog,
  last: number,
): Promise<void> => {
  const home = temporaryDirectory();
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
  const clean = startProjector(home.path, log);
  try {
    await clean.until(isLiveAt(last));
    assert.equal(store.digest(), await clean.digest());
  } finally {
    await clean.stop();
    await store.close();
    home.remove();
  }
};

/** Appends events, valid or not, as a publisher would. */
export const append = (eventLog: EventLog, ...events: readonly CloudEvent[]) =>
  eventLog.append(
    events.map((event) =>
      toMessage({ ...event, subject: String(event.subject) }, Buffer.from(JSON.stringify(event))),
    ),
  );

/** Live, and at the end of the log. */
export const isLiveAt =
  (sequence: number) =>
  ({ state, checkpoint, lagEvents }: ProjectorStatus): boolean =>
    state === "live" && checkpoint >= sequence && lagEvents === 0;
