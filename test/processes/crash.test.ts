import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, effort, randomShares, reportDone } from "../helpers/effort.ts";
import { shopAtWork } from "../helpers/life.ts";
import { startNats } from "../helpers/nats.ts";
import { append, mustCountEach, mustEqualReplay } from "../helpers/projector.ts";
import { followSequence, projectorOf } from "../helpers/projector-process.ts";
import { type Running, stop, until } from "../helpers/vitrine.ts";

const test = suite("crash");
const kills = Math.ceil(amount(10) / 2);
const share = effort(1_000, 2_000);
const events = kills * share;

/** Times of the kills, in ms. */
const delays = randomShares("crash", kills).map((at) => Math.floor(at * 60));

/** Kills the projector repeatedly while events are published, lets the last one finish, and compares. */
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
    // When no earlier start caught up, the generation goes live only after its last event.
    await until(
      async () => openDataDirectory(dataDir).live(),
      (live) => live !== undefined,
      60,
    );
    await stop(last);
  } finally {
    // A process that still runs would keep this file running.
    projector?.child.kill("SIGKILL");
    await sequence.close();
  }
  await mustEqualReplay(dataDir, log, events);
  await mustCountEach(dataDir, events);
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
  for (const [turn, delayMs] of delays.entries()) {
    await append(log, ...life.slice(turn * share, (turn + 1) * share));
    const projector = begin();
    const before = checkpoints.at(-1) ?? 0;
    const ended = projector.ended.then(({ stderr }) => {
      throw new Error(`the projector ended by itself: ${stderr}`);
    });
    // Alternate between a kill right after a commit and a kill while the projector applies the next batch.
    const atWork =
      turn % 2 === 0
        ? projector.says(/Ops/).then(() => delay(delayMs * 4))
        : until(now, (reached) => reached > before, 60, 10);
    await Promise.race([atWork, ended]);
    ended.catch(() => undefined);
    await delay(delayMs);
    projector.child.kill("SIGKILL");
    await projector.ended;
    checkpoints.push(await now());
    reportDone(turn + 1);
    if ((checkpoints.at(-1) ?? 0) < (turn + 1) * share) midway += 1;
  }
  assert.ok(midway > 0, "no kill met the projector at work");
  assert.equal(
    checkpoints,
    [...checkpoints].sort((a, b) => a - b),
    "a checkpoint went back",
  );
};

test("a projector on the journal, killed -9 at random times, ends with the bytes of a clean replay", async () => {
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

test("a projector on NATS, killed -9 at random times, ends with the bytes of a clean replay", async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  try {
    await survives(log, nats.url);
  } finally {
    await log.close();
    await nats.stop();
  }
});

test.run();
