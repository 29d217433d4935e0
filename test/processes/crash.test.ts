import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal.ts";
import type { EventLog } from "../../src/event-log/log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { openStore, type Store } from "../../src/read-model/store.ts";
import { tables } from "../../src/read-model/tables.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { startNats } from "../helpers/nats.ts";
import { append, mustEqualReplay } from "../helpers/projector.ts";
import { isBuilt, type Running, start, stop, until } from "../helpers/vitrine.ts";
import { amount, moments, tellDone } from "../torture/effort.ts";

const test = suite("crash");
const kills = Math.ceil(amount(24) / 2);
const share = 2_000;
const events = kills * share;

/** When to kill, in milliseconds. */
const delays = moments("crash", kills).map((at) => Math.floor(at * 60));

const projectorOf = (dataDir: string, eventsAt: string) =>
  start(["project", "--data-dir", dataDir, "--events", eventsAt, "--ops-port", "0"]);

/**
 * Looks at the newest generation through one store that stays open, as an HTTP process does. As there, it is one that
 * something was committed to: a store that is opened before its tables were made never sees them.
 */
const followSequence = (dataDir: string) => {
  let open: Store | undefined;
  const close = async (): Promise<void> => {
    await open?.close();
    open = undefined;
  };
  return {
    async now(): Promise<number> {
      const newest = openDataDirectory(dataDir).generations().at(-1);
      if (newest === undefined || !existsSync(join(newest, "data.mdb"))) return 0;
      if (open?.directory !== newest) await close();
      open ??= openStore(newest, { readOnly: true });
      open.refresh();
      const sequence = open.get(tables.meta, "checkpoint")?.sequence ?? 0;
      if (sequence === 0) await close();
      return sequence;
    },
    close,
  };
};

/** Kills the projector again and again while events are published, lets the last one finish, and compares. */
const survives = async (log: EventLog, eventsAt: string): Promise<void> => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  const sequence = followSequence(dataDir);
  let projector: Running | undefined;
  const begin = (): Running => {
    projector = projectorOf(dataDir, eventsAt);
    return projector;
  };
  try {
    await killAgainAndAgain(log, begin, sequence.now);
    const last = begin();
    await until(sequence.now, (reached) => reached === events, 60);
    await stop(last);
  } finally {
    // What runs on keeps this file from its end.
    projector?.child.kill("SIGKILL");
    await sequence.close();
  }
  await mustEqualReplay(dataDir, log, events);
  home.remove();
};

const killAgainAndAgain = async (
  log: EventLog,
  begin: () => Running,
  now: () => Promise<number>,
): Promise<void> => {
  const life = [...shopAtWork(300, events)];
  const checkpoints: number[] = [];
  let midway = 0;
  for (const [turn, moment] of delays.entries()) {
    await append(log, ...life.slice(turn * share, (turn + 1) * share));
    const projector = begin();
    const before = checkpoints.at(-1) ?? 0;
    const ended = projector.ended.then(({ stderr }) => {
      throw new Error(`the projector ended by itself: ${stderr}`);
    });
    // Every other time right after it has written, else while it folds what it will write.
    const atWork =
      turn % 2 === 0
        ? projector.says(/Ops/).then(() => delay(moment * 4))
        : until(now, (reached) => reached > before, 60);
    await Promise.race([atWork, ended]);
    ended.catch(() => undefined);
    await delay(moment);
    projector.child.kill("SIGKILL");
    await projector.ended;
    checkpoints.push(await now());
    tellDone(turn + 1);
    if ((checkpoints.at(-1) ?? 0) < (turn + 1) * share) midway += 1;
  }
  assert.ok(midway > 0, "no kill met the projector at work");
  assert.equal(
    checkpoints,
    [...checkpoints].sort((a, b) => a - b),
    "a checkpoint went back",
  );
};

test("a projector on the journal, killed -9 at any moment, ends in the bytes of a clean replay", async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "journal");
  const log = openJournal({ directory, now: Date.now });
  try {
    await survives(log, `journal:${directory}`);
  } finally {
    await log.close();
  }
  home.remove();
});

test("a projector on NATS, killed -9 at any moment, ends in the bytes of a clean replay", async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  try {
    await survives(log, nats.url);
  } finally {
    await log.close();
    await nats.stop();
  }
});

/**
 * Milliseconds from the start of a projector that was killed until the end of its log is shown (`deploy/promises.md`,
 * 10); one that runs from its source is compiled first.
 */
const longestRestart = isBuilt ? 2_000 : 4_000;
const restarts = 7;

/** Of a few rounds the best counts, the machine does other things too. */
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

/** How long each projector took that was started after the first, the quickest first. Each finds events to apply. */
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
