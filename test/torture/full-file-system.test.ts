import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { messageOf } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { sendRequest } from "../../src/projector/control/client.ts";
import type { ControlRequest } from "../../src/projector/control/request.ts";
import { failInterruptedRequests, takeRequest } from "../../src/projector/control/server.ts";
import { lockDirectory } from "../../src/projector/integrity/lock.ts";
import { readComparison, writeComparison } from "../../src/read-model/compare/comparison-file.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { probeGeneration } from "../../src/read-model/integrity/probe.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { copyDataDirectory } from "../helpers/copy-data.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, isLong, randomShares, reportDone } from "../helpers/effort.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append, mustEqualReplay, startProjector } from "../helpers/projector.ts";
import { inOwnMounts, page, type SmallDisk, smallDisk } from "../helpers/small-disk.ts";
import {
  childrenOf,
  ndjson,
  type Run,
  type RunningVitrine,
  run,
  start,
  startVitrine,
  until,
} from "../helpers/vitrine.ts";

await inOwnMounts(import.meta.url);

/** A model and its journal, as a service left them. */
interface DiskContext {
  readonly home: string;
  /** Its data directory. */
  readonly origin: string;
  readonly journal: string;
  readonly log: EventLog;
  /**
   * Number of pages that is too small for a replay of the journal or a copy of the model: that of one empty
   * generation.
   */
  readonly tooFew: number;
}

const test = suite<DiskContext>("full file system");
const times = amount(1);
const events = 600;
const wantOfRoom = /no space left|make room on|room on the disk|has room/i;
const hint = again("test/torture/full-file-system.test.ts");

test.before(async (context) => {
  const { path: home } = temporaryDirectory();
  const journal = join(home, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  await append(log, settingsUpdated(), ...shopAtWork(300, events - 1));
  const service = await startVitrine(["--events", `journal:${journal}`], {
    dataDir: join(home, "data"),
  });
  await service.ready();
  assert.is((await service.stop()).code, 0);
  const live = openDataDirectory(service.dataDir).live() ?? "";
  const tooFew = pagesOf(join(live, "data.mdb")) + pagesOf(join(live, "lock.mdb"));
  Object.assign(context, { home, origin: service.dataDir, journal, log, tooFew });
});
test.after(({ log }) => log.close());

const statusOf = async (service: RunningVitrine) => JSON.parse((await service.ops("/status")).text);

const pagesOf = (file: string): number => Math.floor((statSync(file).blocks * 512) / page);

/** Number of pages of all files of a directory. */
const pagesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => pagesOf(join(directory, name)))
    .reduce((sum, pages) => sum + pages, 0);

/** Shares of the required space: some fixed ones, and in the long form random ones. */
const shares = (name: string, kinds: readonly number[]): readonly number[] =>
  isLong ? randomShares(name, times) : kinds;

/** Copies the model to a small file system of its own. */
const onSmallDisk = (origin: string): { readonly disk: SmallDisk; readonly data: string } => {
  const disk = smallDisk(24);
  const data = join(disk.path, "data");
  copyDataDirectory(origin, data);
  return { disk, data };
};

const answers = async (service: RunningVitrine): Promise<void> => {
  const { status, data } = await service.graphql<{ products: { totalCount: number } }>(
    "{ products(first: 1) { totalCount } }",
  );
  assert.is(status, 200);
  assert.is(data.products.totalCount, 300);
};

/** Checks that a command reports the error, and neither a bug nor a crash. */
const isRefused = ({ code, stderr }: Run, what: string): void => {
  assert.is(code, 3, `${what}: ${stderr}`);
  assert.ok(wantOfRoom.test(stderr), `${what}: ${stderr}`);
};

/** Checks that no process died and nothing was reported as damaged. */
const isUnharmed = (output: string, data: string, what: string): void => {
  assert.not.match(output, /killed by|a bug/, what);
  assert.not.ok(existsSync(join(data, "quarantine")), what);
};

test("on a full file system the projector waits and reports it, reads go on, and nothing is lost", async () => {
  const disk = smallDisk(48);
  const { path: home } = temporaryDirectory();
  const log = openJournal({ directory: join(home, "journal"), now: Date.now });
  let last = 0;
  const publishEvents = async (...published: readonly CloudEvent[]): Promise<void> => {
    await append(log, ...published);
    last += published.length;
  };
  await publishEvents(
    settingsUpdated(),
    ...Array.from({ length: 300 }, (_, at) => productUpserted({ id: at + 1 })),
  );
  const service = await startVitrine(["--events", `journal:${join(home, "journal")}`], {
    dataDir: join(disk.path, "data"),
  });
  await service.ready();
  let length = 80;
  const isFull = async (): Promise<void> => {
    for (let rounds = 0; rounds < 100; rounds += 1) {
      // The same products with longer texts, so that freed space does not suffice.
      length += 8;
      const text = "As long as it often is. ".repeat(length);
      const longer = Array.from({ length: 100 }, (_, at) =>
        productUpserted({ id: 1 + ((last + at) % 300), descriptionHtml: `<p>${text}</p>` }),
      );
      await publishEvents(...longer);
      const { ready } = await until(
        () => statusOf(service),
        (answer) => !answer.ready || answer.status.checkpoint === last,
        60,
      );
      if (!ready) return;
    }
    throw new Error(`there was room for ${last} events`);
  };
  for (let turn = 0; turn < times; turn += 1) {
    disk.fill();
    await isFull();
    const { state, reason } = await statusOf(service);
    assert.is(state, "faulted");
    assert.match(reason, "make room on the disk");
    await answers(service);
    disk.makeRoom();
    await service.ready();
    reportDone(turn + 1);
  }
  await until(
    async () => (await statusOf(service)).status.checkpoint,
    (checkpoint) => checkpoint === last,
    60,
  );
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  const { code, stderr } = await service.stop();
  assert.is(code, 0);
  isUnharmed(stderr, service.dataDir, "the projector");
  await mustEqualReplay(service.dataDir, log, last);
  await log.close();
  disk.remove();
});

for (const share of shares("first replay", [0.04, 0.4])) {
  test(`a first replay with ${share} of the space it needs begins or goes on when there is space`, async ({
    journal,
    log,
    tooFew,
  }) => {
    const pages = Math.floor(share * tooFew);
    const what = `${pages} pages; ${hint}`;
    const disk = smallDisk(24);
    const dataDir = join(disk.path, "data");
    const begin = () => startVitrine(["--events", `journal:${journal}`], { dataDir });
    disk.fill(pages);
    let service = await begin().catch(messageOf);
    if (typeof service === "string") {
      assert.match(service, /^ended with 3:[\s\S]*no space left/, what);
      disk.makeRoom();
      service = await begin();
    } else {
      const { ops } = service;
      await until(
        async () => (await ops("/readyz")).text,
        (reasons) => wantOfRoom.test(reasons),
        60,
      );
      assert.is((await service.graphql("{ shop { name } }")).status, 503, what);
      disk.makeRoom();
    }
    await service.ready();
    await answers(service);
    isUnharmed((await service.stop()).stderr, dataDir, what);
    await mustEqualReplay(dataDir, log, events);
    disk.remove();
  });
}

test("rebuild without space is rejected and leaves nothing; with space it succeeds", async ({
  origin,
  journal,
  log,
  tooFew,
}) => {
  const { disk, data } = onSmallDisk(origin);
  const from = ["--events", `journal:${journal}`];
  const service = await startVitrine(from, { dataDir: data });
  await service.ready();
  const directory = openDataDirectory(data);
  const before = [directory.live(), ...directory.generations()];
  for (const share of shares("rebuild", [0.02, 0.33])) {
    const pages = Math.floor(share * tooFew);
    const what = `${pages} pages; ${hint}`;
    disk.fill(pages);
    const rebuilding = start(["rebuild", "--data-dir", data, ...from]);
    const { code, ...output } = await rebuilding.ended;
    assert.is(rebuilding.child.signalCode, null, what);
    isRefused({ code, ...output }, what);
    await answers(service);
    disk.makeRoom();
    assert.equal([directory.live(), ...directory.generations()], before, what);
    const left = ["scratch", "requests"].filter((name) => existsSync(join(data, name)));
    assert.equal(
      left.flatMap((name) => readdirSync(join(data, name))),
      [],
      what,
    );
  }
  const { code, stderr } = await run(["rebuild", "--data-dir", data, ...from]);
  assert.is(code, 0, stderr);
  assert.is.not(directory.live(), before[0]);
  await answers(service);
  isUnharmed((await service.stop()).stderr, data, "the service");
  await mustEqualReplay(data, log, events);
  disk.remove();
});

for (const pages of isLong ? [0, 20, 60, 100] : [0]) {
  test(`the projector's own rebuild with ${pages} free pages waits for space, and reads go on`, async ({
    origin,
  }) => {
    const { disk, data } = onSmallDisk(origin);
    const journal = join(temporaryDirectory().path, "journal");
    const log = openJournal({ directory: journal, now: Date.now });
    await append(log, settingsUpdated(), ...shopAtWork(300, events - 1));
    disk.fill(pages);
    const service = await startVitrine(["--events", `journal:${journal}`], { dataDir: data });
    const reasons = await until(
      async () => (await service.ops("/readyz")).text,
      (text) => wantOfRoom.test(text),
      60,
    );
    await answers(service);
    // A rebuild that cannot begin leaves nothing; one that has begun waits.
    const isBegun = reasons.includes("the read model cannot be written");
    assert.is(openDataDirectory(data).generations().length, isBegun ? 2 : 1, reasons);
    assert.ok(pages > 0 || !isBegun, reasons);
    disk.makeRoom();
    await until(
      async () => openDataDirectory(data).live(),
      (live) => live?.endsWith("0001") === false,
      60,
    );
    await service.ready();
    await answers(service);
    isUnharmed((await service.stop()).stderr, data, `${pages} pages`);
    await mustEqualReplay(data, log, events);
    await log.close();
    disk.remove();
  });
}

test("a backup without space is rejected and leaves nothing; with space it is complete", async ({
  origin,
  journal,
}) => {
  const disk = smallDisk(24);
  const to = join(disk.path, "backups", "today");
  const args = ["backup", "--data-dir", origin, "--events", `journal:${journal}`, to];
  assert.is((await run(args)).code, 0);
  const taken = pagesIn(to);
  rmSync(to, { recursive: true });
  for (const share of shares("backup", [0.5])) {
    const pages = Math.floor(share * taken);
    const what = `${pages} pages; ${hint}`;
    disk.fill(pages);
    isRefused(await run(args), what);
    disk.makeRoom();
    assert.equal(readdirSync(join(disk.path, "backups")), [], what);
  }
  const { code, stderr } = await run(args);
  assert.is(code, 0, stderr);
  const restored = join(disk.path, "data");
  const from = ["--data-dir", restored, "--events", `journal:${journal}`];
  const { code: restoring, ...output } = await run(["restore", to, ...from]);
  assert.is(restoring, 0, output.stderr);
  disk.remove();
});

test("the journal has exactly the acknowledged events, and publishing again completes it", async () => {
  const disk = smallDisk(24);
  const data = join(disk.path, "data");
  const published = [...shopAtWork(300, 3_000)];
  const file = join(temporaryDirectory().path, "shop.ndjson");
  writeFileSync(file, ndjson(published));
  const publish = () => run(["publish", "--json", "--data-dir", data, file]);
  disk.fill(0);
  isRefused(await publish(), "nothing is there yet");
  disk.makeRoom();
  openDataDirectory(data);
  const log = openJournal({ directory: join(data, "journal"), now: Date.now });
  await append(log, ...published.slice(0, 100));
  disk.fill(60);
  let acknowledged = 100;
  const refused = await (async () => {
    for (;;) {
      const next = published.slice(acknowledged, acknowledged + 10);
      const appended = await append(log, ...next);
      acknowledged = appended.at(-1)?.sequence ?? 0;
    }
  })().catch(messageOf);
  assert.match(refused, "cannot be used");
  assert.is((await log.bounds()).last, acknowledged);
  isRefused(await publish(), "the rest of the file");
  assert.is((await log.bounds()).last, acknowledged, "all of a thousand, or none");
  disk.makeRoom();
  disk.fill(200);
  isRefused(await publish(), "the rest of the file, with room for some");
  const { last } = await log.bounds();
  assert.ok(last > acknowledged && last < published.length, `${last} of ${published.length}`);
  disk.makeRoom();
  const { code, stdout, stderr } = await publish();
  assert.is(code, 0, stderr);
  const { accepted, duplicates } = JSON.parse(stdout);
  assert.equal([accepted, duplicates], [published.length - last, last]);
  const ids: string[] = [];
  for await (const chunk of log.read({ after: 0, follow: false })) {
    ids.push(...chunk.map(({ body }) => JSON.parse(Buffer.from(body).toString()).id));
  }
  assert.equal(
    ids,
    published.map(({ id }) => id),
  );
  await log.close();
  disk.remove();
});

test("the service starts and answers on a full disk, and so do its restarted processes", async ({
  origin,
  journal,
}) => {
  const { disk, data } = onSmallDisk(origin);
  disk.fill();
  const service = await startVitrine(["--events", `journal:${journal}`], { dataDir: data });
  await service.ready();
  await answers(service);
  const before = await childrenOf(service.child.pid ?? 0);
  for (const pid of before.values()) process.kill(pid, "SIGKILL");
  await until(
    async () => (await childrenOf(service.child.pid ?? 0)).get("vitrine projector"),
    (pid) => pid !== undefined && pid !== before.get("vitrine projector"),
    60,
  );
  await until(
    () => answers(service),
    () => true,
    60,
  );
  await service.ready();
  assert.is((await service.stop()).code, 0);
  assert.not.ok(existsSync(join(data, "quarantine")));
  rmSync(join(data, "token-secret"));
  disk.fill();
  const refusal = await startVitrine(["--events", `journal:${journal}`], { dataDir: data }).catch(
    messageOf,
  );
  assert.match(String(refusal), /^ended with 3:[\s\S]*token-secret: ENOSPC: no space left/);
  disk.remove();
});

test("the lock, which is a directory, can be taken on a full disk, each time", async () => {
  const disk = smallDisk(4, 100);
  const data = join(disk.path, "data");
  openDataDirectory(data);
  const lock = () => lockDirectory(data, assert.unreachable);
  await (await lock())();
  const makeAll = (): void => {
    for (let made = 0; ; made += 1) writeFileSync(join(disk.path, `${made}`), "");
  };
  for (let times = 0; times < 3; times += 1) {
    // Fills the space that an earlier start freed.
    disk.fill();
    assert.throws(makeAll, /ENOSPC/);
    await (await lock())();
  }
  disk.remove();
});

test("a control request is answered on a full disk, also by the next projector", async () => {
  const disk = smallDisk(4);
  const attended = () => Promise.resolve(true);
  const never = new AbortController().signal;
  const request: ControlRequest = { kind: "rollback" };
  const sent = [request, request].map((each) =>
    sendRequest(disk.path, each, attended, never).catch(messageOf),
  );
  disk.fill();
  const taken = takeRequest(disk.path);
  assert.ok(takeRequest(disk.path));
  taken?.failed(new Error("there is none"));
  // The projector of the other request exited.
  failInterruptedRequests(disk.path);
  assert.equal((await Promise.all(sent)).sort(), [
    "the projector stopped while it executed this request",
    "there is none",
  ]);
  disk.remove();
});

test("control requests are answered while a batch waits for space", async ({ origin }) => {
  const { disk, data } = onSmallDisk(origin);
  const log = openJournal({ directory: join(temporaryDirectory().path, "journal"), now: Date.now });
  await append(log, settingsUpdated(), ...shopAtWork(300, events - 1));
  const projector = startProjector(data, log);
  await projector.until(({ lagEvents, state }) => state === "live" && lagEvents === 0);
  disk.fill();
  await append(log, ...shopAtWork(300, 5_000));
  await projector.until(({ state }) => state === "faulted");
  disk.fill(1);
  const attended = () => Promise.resolve(true);
  const request: ControlRequest = { kind: "discard", sequences: [] };
  const late = AbortSignal.timeout(20_000);
  assert.equal(await sendRequest(data, request, attended, late), { discarded: [] });
  await projector.until(({ state }) => state === "faulted");
  disk.makeRoom();
  const { last } = await log.bounds();
  await projector.until(({ checkpoint, state }) => state === "live" && checkpoint === last);
  await projector.stop();
  await mustEqualReplay(data, log, last);
  await log.close();
  disk.remove();
});

test("a comparison without space costs no generation", async ({ origin }) => {
  const { disk, data } = onSmallDisk(origin);
  const live = openDataDirectory(data).live() ?? "";
  disk.fill();
  const store = openStore(live, { readOnly: true });
  const side = { sequence: 1, digest: store.digest() };
  await store.close();
  writeComparison(live, { before: side, after: side, isSame: true, tables: [] }, live, 0);
  assert.is(readComparison(live), undefined);
  disk.remove();
});

test("more readers, or missing lock files, end no process on a full disk, and are not damage", async ({
  origin,
}) => {
  const { disk, data } = onSmallDisk(origin);
  const live = openDataDirectory(data).live() ?? "";
  rmSync(join(live, "lock.mdb"));
  disk.fill();
  assert.is(await probeGeneration(live, "quick"), undefined);
  assert.throws(() => openStore(live, { readOnly: true }), /no space left/);
  disk.makeRoom();
  const store = openStore(live, { readOnly: true });
  disk.fill();
  const held = Array.from({ length: 500 }, () => store.pin());
  assert.ok(held.every((snapshot) => snapshot.get(tables.counters, "products") === 300));
  for (const snapshot of held) snapshot.release();
  await store.close();
  disk.remove();
});

test.run();
