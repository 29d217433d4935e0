import { existsSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import { copyDataDirectory } from "../helpers/copy-data.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, effort, isLong, randomShares, reportDone } from "../helpers/effort.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { atStep, outcomes } from "../helpers/steps.ts";
import { type Running, run, start, until } from "../helpers/vitrine.ts";

const test = suite<{
  origin: string;
  digest: Digest;
  home: { remove(): void };
  /** Changes of a rebuild that nothing interrupts. */
  steps: readonly string[];
}>("rebuild, swap and rollback killed -9");
const events = effort(300, 1_000);

/** A model with a previous generation; no projector runs. */
test.before(async (context) => {
  const home = temporaryDirectory();
  const origin = join(home.path, "data");
  openDataDirectory(origin);
  const log = openJournal({ directory: join(origin, "journal"), now: Date.now });
  await append(log, ...shopAtWork(effort(60, 120), events));
  const projector = startProjector(origin, log);
  await projector.until(isLiveAt(events));
  const digest = await projector.digest();
  await projector.stop();
  await log.close();
  const { code, stderr } = await run(["rebuild", "--data-dir", origin]);
  assert.is(code, 0, stderr);
  const { data, remove } = copyOf(origin);
  const { steps } = await atStep(rebuild(data), data, 0, "EIO");
  assert.ok(steps.length > 10, `${steps.length} steps`);
  remove();
  Object.assign(context, { origin, digest, home, steps });
});
test.after(({ home }) => home.remove());

const copyOf = (origin: string): { readonly data: string; remove(): void } => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  copyDataDirectory(origin, data);
  return { data, remove: home.remove };
};

/** @returns the number of processes that were still running */
const kill = async (...running: readonly Running[]): Promise<number> => {
  for (const { child } of running) child.kill("SIGKILL");
  const all = await Promise.all(running.map(({ ended }) => ended));
  return all.filter(({ code }) => code === null).length;
};

const mustHaveMet = (met: number, all: number): void =>
  assert.ok(met > 0, `none of ${all} kills met the command before its end`);

/**
 * Checks that the live generation answers, also after a restart that sweeps, and that a rollback is possible.
 */
const checkAnswers = async (data: string, digest: Digest): Promise<void> => {
  const live = openStore(openDataDirectory(data).live() ?? "", { readOnly: true });
  assert.equal(live.digest(), digest);
  await live.close();
  const log = openJournal({ directory: join(data, "journal"), now: Date.now });
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(events));
  assert.equal(await projector.digest(), digest);
  const { live: current, previous, generations } = projector.directory;
  assert.is(generations().length, 2);
  assert.equal([previous(), current()].sort(), generations(), "a rollback is possible");
  await projector.stop();
  await log.close();
};

/** Duration of a command, in ms. */
const durationOf = async (origin: string, command: string): Promise<number> => {
  const { data, remove } = copyOf(origin);
  const begun = performance.now();
  const { code, stderr } = await run([command, "--data-dir", data]);
  assert.is(code, 0, stderr);
  remove();
  return performance.now() - begun;
};

for (const [command, count] of [
  ["rebuild", 4],
  ["rollback", 3],
] as const) {
  test(`${command}, killed -9 at ${count} points, leaves a directory that starts and answers`, async ({
    origin,
    digest,
  }) => {
    let duration = await durationOf(origin, command);
    let met = 0;
    for (const share of randomShares(command, count)) {
      const { data, remove } = copyOf(origin);
      const begun = performance.now();
      const running = start([command, "--data-dir", data]);
      await Promise.race([delay(duration * (0.25 + 0.75 * share)), running.ended]);
      const taken = performance.now() - begun;
      const isMet = (await kill(running)) > 0;
      if (isMet) met += 1;
      // The command ended before the kill, because the first run was slower: kill the next one earlier.
      else duration = Math.min(duration, taken);
      await checkAnswers(data, digest);
      remove();
    }
    mustHaveMet(met, count);
  });
}

const phaseOf = (data: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(data, "building.json"), "utf8")).phase;
  } catch {
    return undefined;
  }
};

/** Resolves when the first link of a swap is about to change, or the command has ended. */
const swapOf = async (data: string, running: Running): Promise<void> => {
  const watching = new AbortController();
  const swapping = new Promise<void>((resolve) => {
    watch(data, { signal: watching.signal }, (_event, name) => {
      if (/live|previous/.test(name ?? "")) resolve();
    });
  });
  await Promise.race([swapping, running.ended]);
  watching.abort();
};

test("a swap, killed -9 at 4 points, leaves a directory that starts and answers", async ({
  origin,
  digest,
}) => {
  let met = 0;
  let longest = 20;
  for (const share of randomShares("swap", 4)) {
    const { data, remove } = copyOf(origin);
    const running = start(["rebuild", "--data-dir", data]);
    await swapOf(data, running);
    await delay(longest * share);
    const isMet = (await kill(running)) > 0;
    if (isMet) met += 1;
    // The command ended before the kill: kill the next one earlier.
    else longest /= 2;
    await checkAnswers(data, digest);
    remove();
  }
  mustHaveMet(met, 4);
});

test("a projector in a swap, killed -9 with the command at 3 points, continues", async ({
  origin,
  digest,
}) => {
  let met = 0;
  for (const share of randomShares("projector", 3)) {
    const { data, remove } = copyOf(origin);
    const projector = start(["project", "--data-dir", data, "--ops-port", "0"]);
    await projector.says(/Ops/);
    const running = start(["rebuild", "--data-dir", data]);
    await swapOf(data, running);
    await delay(20 * share);
    const projectorKilled = kill(projector);
    met += await kill(running);
    await projectorKilled;
    await checkAnswers(data, digest);
    remove();
  }
  mustHaveMet(met, 3);
});

/** The first, a middle and the last change of the links to generations. */
const ofLinks = (steps: readonly string[]): readonly number[] => {
  const all = steps.flatMap((step, at) => (/\b(live|previous)\b/.test(step) ? [at + 1] : []));
  return [all.at(-1), all[all.length >> 1], all[0]].map((step) => step ?? 0);
};

const rebuild = (data: string) => ["rebuild", "--data-dir", data];

for (const outcome of outcomes) {
  test(`a rebuild interrupted by ${outcome} before any of its changes leaves a directory that starts and answers`, async ({
    origin,
    digest,
    steps,
  }) => {
    // The long form takes each step repeatedly; the short one takes the most important.
    const chosen = isLong ? steps.map((_step, at) => at + 1) : ofLinks(steps);
    for (let turn = 0; turn < amount(chosen.length); turn += 1) {
      const step = chosen[turn % chosen.length] ?? 0;
      assert.ok(step > 0, steps.join("\n"));
      const { data, remove } = copyOf(origin);
      await atStep(rebuild(data), data, step, outcome);
      await checkAnswers(data, digest);
      remove();
      reportDone(turn + 1);
    }
  });
}

test("the next command sweeps what a killed command left", async ({ origin }) => {
  const { data, remove } = copyOf(origin);
  const killed = start(["rebuild", "--data-dir", data]);
  await until(
    async () => phaseOf(data),
    (phase) => phase !== undefined,
    60,
    10,
  );
  await kill(killed);
  assert.is(readdirSync(join(data, "scratch")).length, 1);
  const next = await run(["verify", "--data-dir", data]);
  assert.is(next.code, 0, next.stderr);
  assert.equal(readdirSync(join(data, "scratch")), []);
  assert.is(existsSync(join(data, "building.json")), false);
  remove();
});

test.run();
