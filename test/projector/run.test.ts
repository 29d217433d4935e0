import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import type { ControlRequest } from "../../src/projector/control/request.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { halting, productCount, products, suiteOfJournal } from "./journal-suite.ts";

const test = suiteOfJournal("projector");

test("nothing is live before the end of a non-empty log is reached", async ({ log, data }) => {
  const projector = startProjector(data, log);
  await projector.until(({ state }) => state === "live");
  assert.is(projector.directory.live(), undefined);
  await append(log, settingsUpdated(), ...products(3));
  await projector.until(isLiveAt(4));
  assert.is(await productCount(projector), 3);
  await projector.stop();
});

test("the counts in the status follow the live generation", async ({ log, data }) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(({ counts }) => counts?.products === 3);
  await append(log, ...products(2, 10));
  await projector.until(({ counts }) => counts?.products === 5);
  await projector.stop();
});

test("a projector continues at its checkpoint after a restart, and follows later events", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  const first = startProjector(data, log);
  await first.until(isLiveAt(3));
  await first.stop();
  await append(log, ...products(2, 10));
  const second = startProjector(data, log);
  await second.until(isLiveAt(5));
  assert.is(second.status().tally.applied, 5);
  assert.is(second.status().redelivered, 0);
  await append(log, stockChanged({ productId: 1 }));
  await second.until(isLiveAt(6));
  assert.is(await second.read((snapshot) => snapshot.product(1)?.offer.availability), "IN_STOCK");
  await second.stop();
});

test("the lag is reported in events and seconds while a backlog is applied", async ({
  log,
  data,
}) => {
  await append(log, ...products(9_200));
  const seen: { events: number; seconds: number }[] = [];
  const projector = startProjector(data, log, {
    onBatch() {
      const { lagEvents, lagSeconds } = projector.status();
      seen.push({ events: lagEvents, seconds: lagSeconds });
    },
  });
  await projector.until(isLiveAt(9_200));
  // A batch takes 2 MiB of events with texts.
  assert.equal(
    seen.map(({ events }) => events),
    [3_718, 0],
  );
  assert.ok((seen[0]?.seconds ?? 0) > 0);
  assert.is(seen.at(-1)?.seconds, 0);
  await projector.stop();
});

test("a backlog is applied as one batch, however many chunks it arrives in", async ({
  log,
  data,
}) => {
  const moves = Array.from({ length: 3_500 }, (_, at) => stockChanged({ productId: 1 + (at % 9) }));
  await append(log, ...moves);
  const applied: number[] = [];
  const projector = startProjector(data, log, {
    onBatch: (batch) => void applied.push(batch.applied),
  });
  await projector.until(isLiveAt(3_500));
  assert.equal(applied, [3_500]);
  await projector.stop();
});

test("folded events are committed when the rest of a backlog does not arrive", async ({
  log,
  data,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, halting(log));
  const { lagEvents } = await projector.until(({ checkpoint }) => checkpoint === 3);
  assert.is(lagEvents, 6);
  await projector.stop();
});

test("a stopped projector commits what it has folded", async ({ log, data }) => {
  await append(log, ...products(3));
  let resolveStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve;
  });
  const projector = startProjector(data, halting(log, resolveStarted));
  await started;
  await projector.stop();
  assert.is(projector.status().checkpoint, 3);
});

test("a journal whose directory disappeared for a while is followed when it is back", async ({
  log,
  journal,
  data,
}) => {
  await append(log, ...products(3));
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(3));
  renameSync(journal, `${journal}.away`);
  const { reason } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "was removed while it was open; put the journal back");
  renameSync(`${journal}.away`, journal);
  await append(log, ...products(2, 10));
  await projector.until(isLiveAt(5));
  await projector.stop();
});

test("during a control request nothing is applied, and the lag shows it", async ({ log, data }) => {
  const bad = productUpserted({ id: 9, name: 5 as never });
  await append(log, ...products(2), bad);
  let isHeld = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let resolveStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve;
  });
  const held: EventLog = {
    ...log,
    async get(sequence) {
      if (isHeld) {
        resolveStarted();
        await released;
      }
      return log.get(sequence);
    },
  };
  const projector = startProjector(data, held, { continuityIntervalMs: 600_000 });
  await projector.until(isLiveAt(3));
  isHeld = true;
  const request: ControlRequest = { kind: "retry", sequences: null };
  const answer = sendRequest(
    data,
    request,
    () => Promise.resolve(true),
    new AbortController().signal,
  );
  await started;
  await append(log, ...products(1, 20));
  const lagging = projector.until(
    ({ lagEvents, lagSeconds }) => lagEvents === 2 && lagSeconds > 0.5,
  );
  await append(log, ...products(1, 10));
  await lagging.finally(release);
  await answer;
  await projector.until(isLiveAt(5));
  await projector.stop();
});

test("a failing projection stops applying, not reads, and is reported", async ({ log, data }) => {
  await append(log, ...products(2));
  const rendering = createHtmlRenderer();
  const projector = startProjector(data, log, {
    rendering: {
      ...rendering,
      cleanText(text) {
        if (text === "Product 66") throw new Error("boom");
        return text;
      },
    },
  });
  await projector.until(isLiveAt(2));
  await append(log, ...products(1, 66));
  const { reason, checkpoint } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "boom");
  assert.is(checkpoint, 2);
  assert.is(await productCount(projector), 2);
  await projector.stop();
});

/** A log that ends at an event, as before later ones were appended. */
const cutAfter = (log: EventLog, last: number): EventLog => ({
  ...log,
  bounds: async () => ({ ...(await log.bounds()), last }),
  async *read(options) {
    for await (const chunk of log.read({ ...options, follow: false })) {
      const records = chunk.filter(({ sequence }) => sequence <= last);
      if (records.length > 0) yield records;
    }
    if (!options.follow || options.signal?.aborted) return;
    await new Promise((resolve) => options.signal?.addEventListener("abort", resolve));
  },
});

const boom = (text: string): void => {
  if (text.includes("boom")) throw new Error("it broke");
};

for (const [where, part] of [
  ["is folded", "cleanText"],
  ["is rendered with the batch", "markdown"],
] as const) {
  test(`events before one whose projection fails when it ${where} are applied, and none after it`, async ({
    log,
    data,
    home,
  }) => {
    await append(log, ...products(2));
    const rendering = createHtmlRenderer();
    const failing = {
      ...rendering,
      [part]: (text: string) => {
        boom(text);
        return rendering[part](text);
      },
    };
    const projector = startProjector(data, log, { rendering: failing });
    await projector.until(isLiveAt(2));
    const broken = productUpserted({ id: 36, name: "boom", descriptionHtml: "<p>boom</p>" });
    const bad = productUpserted({ id: 35, name: 5 as never });
    await append(
      log,
      ...products(32, 3),
      bad,
      stockChanged({ productId: 4 }),
      broken,
      ...products(20, 40),
    );
    const { reason, checkpoint, tally } = await projector.until(({ state }) => state === "faulted");
    assert.match(reason ?? "", /failed at sequence 37 .*it broke/);
    assert.equal([checkpoint, tally.rejected], [36, 1]);
    const clean = startProjector(join(home.path, "clean"), cutAfter(log, 36));
    await clean.until(isLiveAt(36));
    assert.equal(await projector.digest(), await clean.digest());
    assert.equal(tally, clean.status().tally);
    await clean.stop();
    await projector.stop();
  });
}

test("a call that LMDB rejects as invalid is a bug of the projection, and is not retried for ever", async ({
  log,
  data,
}) => {
  await append(log, ...products(1));
  const rendering = createHtmlRenderer();
  const wrong = Object.assign(new Error("MDB_BAD_VALSIZE"), { code: -30781 });
  const projector = startProjector(data, log, {
    rendering: {
      ...rendering,
      cleanText() {
        throw wrong;
      },
    },
  });
  const { reason } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", /MDB_BAD_VALSIZE; this is a bug in Vitrine/);
  await projector.stop();
});

test("a control request that cannot be taken blocks neither the log nor timers", async ({
  log,
  data,
}) => {
  const projector = startProjector(data, log);
  await append(log, ...products(2));
  await projector.until(isLiveAt(2));
  for (const name of ["stuck.json", "stuck.taken"])
    mkdirSync(join(data, "requests", name), { recursive: true });
  writeFileSync(join(data, "requests", "stuck.taken", "file"), "");
  await append(log, ...products(1, 3));
  await projector.until(isLiveAt(3));
  await projector.stop();
});

test("a generation whose link cannot be created is reported, and goes live when it can", async ({
  log,
  data,
}) => {
  await append(log, ...products(2));
  const directory = openDataDirectory(data);
  mkdirSync(join(data, "live"));
  const projector = startProjector(data, log);
  const { reason, logReachable } = await projector.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", /the generation cannot go live: .*; make room on the disk/);
  assert.is(logReachable, true);
  assert.is(directory.live(), undefined);
  rmSync(join(data, "live"), { recursive: true });
  await projector.until(isLiveAt(2));
  await projector.stop();
});

test("a lack of system resources during folding is not a bug of a projection", async ({
  log,
  data,
}) => {
  await append(log, ...products(1));
  const rendering = createHtmlRenderer();
  const full = Object.assign(new Error("MDB_READERS_FULL"), { code: -30790 });
  const projector = startProjector(data, log, {
    rendering: {
      ...rendering,
      cleanText() {
        throw full;
      },
    },
  });
  // The process exits, and the next one may have the missing resource.
  assert.is(await projector.ended, full);
});

test.run();
