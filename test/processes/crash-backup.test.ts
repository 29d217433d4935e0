import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Digest } from "../../src/read-model/store/store.ts";
import { catchUp, journalIn, modelOf, mustMatchManifest, unfinished } from "../helpers/backups.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, randomShares } from "../helpers/effort.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { type Running, run, start } from "../helpers/vitrine.ts";

const test = suite("kill -9 of backup and restore");
const events = 6_000;
const life = [...shopAtWork(600, events)];

/** Runs a command and kills it after a share of its time, in ms from its first file. */
const workOf = async (
  command: Running,
  hasBegun: () => boolean,
  killAfter?: number,
): Promise<number> => {
  const over = { is: false };
  void command.ended.then(() => {
    over.is = true;
  });
  while (!hasBegun() && !over.is) await delay(1);
  const begun = performance.now();
  if (killAfter !== undefined) {
    await Promise.race([delay(killAfter), command.ended]);
    command.child.kill("SIGKILL");
  }
  await command.ended;
  return performance.now() - begun;
};

const home = temporaryDirectory().path;
const dataDir = join(home, "data");
const early = join(home, "early");
const late = join(home, "late");
let digests: { readonly early: Digest; readonly late: Digest };

test.before(async () => {
  const log = journalIn(dataDir);
  await append(log, ...life.slice(0, events / 2));
  const first = await catchUp(dataDir);
  assert.is((await run(["backup", early, "--data-dir", dataDir])).code, 0);
  await append(log, ...life.slice(events / 2));
  await log.close();
  digests = { early: first, late: await catchUp(dataDir) };
  assert.is((await run(["backup", late, "--data-dir", dataDir])).code, 0);
});

/** Number of commands of each kind that are interrupted. */
const cuts = Math.ceil(amount(12) / 2);

test("a killed backup is complete or absent, and the next one sweeps its files", async () => {
  const backUp = (target: string) => start(["backup", target, "--data-dir", dataDir]);
  const trial = join(home, "trial");
  const isThere = (target: string) => () => existsSync(target) || unfinished(target).length > 0;
  const complete = await workOf(backUp(trial), isThere(trial));
  let cut = 0;
  for (const [turn, share] of randomShares("backup", cuts).entries()) {
    const target = join(home, `backup-${turn}`);
    await workOf(backUp(target), isThere(target), share * complete);
    if (existsSync(target)) {
      await mustMatchManifest(target);
      continue;
    }
    cut += unfinished(target).length;
    if (turn % 3 > 0) continue;
    assert.is((await run(["backup", target, "--data-dir", dataDir])).code, 0);
    assert.equal(unfinished(target), []);
  }
  assert.ok(cut > 0, "no kill met a backup at work");
  assert.equal(
    await catchUp(dataDir),
    digests.late,
    "the service goes on as if nothing had happened",
  );
});

test("a directory starts and answers wherever a restore is killed", async () => {
  const scratch = (path: string) => () => existsSync(join(path, "scratch"));
  const restore = (from: string, to: string) => start(["restore", from, "--data-dir", to]);
  const trial = join(home, "restored");
  const complete = await workOf(restore(late, trial), scratch(trial));
  assert.equal(await modelOf(trial), digests.late);
  let cut = 0;
  for (const [turn, share] of randomShares("restore", cuts).entries()) {
    // Alternate between a directory that already answers and a new one that also gets its journal.
    const isNew = turn % 2 === 1;
    const path = isNew ? join(home, `new-${turn}`) : dataDir;
    const from = isNew ? late : early;
    await workOf(restore(from, path), scratch(path), share * complete);
    if (scratch(path)()) cut += 1;
    const found = await modelOf(path);
    const either = isNew ? [undefined, digests.late] : [digests.early, digests.late];
    assert.ok(either.some((digest) => JSON.stringify(digest) === JSON.stringify(found)));
    if (existsSync(join(path, "journal"))) {
      assert.equal(await catchUp(path), digests.late);
    } else {
      assert.is((await run(["restore", from, "--data-dir", path])).code, 0);
      assert.equal(await catchUp(path), digests.late);
    }
  }
  assert.ok(cut > 0, "no kill met a restore at work");
});

test.run();
