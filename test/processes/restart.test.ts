/** Measures restarts of a projector; no other test runs meanwhile. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import { startNats } from "../helpers/nats.ts";
import { append } from "../helpers/projector.ts";
import { followSequence, projectorOf } from "../helpers/projector-process.ts";
import { isBuilt, type Running, until } from "../helpers/vitrine.ts";

const test = suite("restart");

/**
 * Maximum time in ms from the start of a killed projector until it shows the end of its log
 * (`deploy/promises.md`, 10); a projector that runs from source is compiled first.
 */
const longestRestart = isBuilt ? 2_000 : 4_000;
const restarts = 5;

/** The best of a few rounds counts, because the machine does other work too. */
const rounds = 3;

test(`of ${restarts} projectors that are started again after a kill -9, half show the end of the log within ${longestRestart / 1_000} s`, async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  const home = temporaryDirectory();
  try {
    let times: readonly number[] = [];
    for (let left = rounds; left > 0 && !isSoon(times); left -= 1) {
      times = await restartTimes(log, nats.url, join(home.path, String(left)));
    }
    assert.ok(isSoon(times), `in milliseconds: ${times.map(Math.round).join(", ")}`);
  } finally {
    await log.close();
    await nats.remove();
    home.remove();
  }
});

const isSoon = (times: readonly number[]): boolean =>
  (times[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY) <= longestRestart;

/** Start times of the projectors after the first, sorted. Each finds events to apply. */
const restartTimes = async (
  log: EventLog,
  eventsAt: string,
  dataDir: string,
): Promise<readonly number[]> => {
  const sequence = followSequence(dataDir);
  const times: number[] = [];
  let projector: Running | undefined;
  try {
    for (let start = 0; start <= restarts; start += 1) {
      await append(log, ...Array.from({ length: 200 }, (_, at) => productUpserted({ id: at + 1 })));
      const { last } = await log.bounds();
      const begun = performance.now();
      projector = projectorOf(dataDir, eventsAt);
      await until(sequence.now, (reached) => reached === last, 60);
      if (start > 0) times.push(performance.now() - begun);
      projector.child.kill("SIGKILL");
      await projector.ended;
    }
  } finally {
    projector?.child.kill("SIGKILL");
    await sequence.close();
  }
  return times.sort((a, b) => a - b);
};

test.run();
