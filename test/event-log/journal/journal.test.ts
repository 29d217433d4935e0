import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog, NewMessage } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import {
  assertIntact,
  probeJournal,
  readJournalFully,
} from "../../../src/event-log/journal/integrity.ts";
import { closeTables, openTables } from "../../../src/event-log/journal/tables.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { openEnvironment } from "../../../src/lmdb/environment.ts";
import { probeUnlessMarked } from "../../../src/lmdb/intact-marker.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/directory.ts";
import { priceChanged } from "../../helpers/events.ts";
import { changesOf } from "../../helpers/name-changes.ts";
import { testProgram } from "../../helpers/test-program.ts";
import { trimJournal } from "../../helpers/trim-journal.ts";
import { until } from "../../helpers/vitrine.ts";
import {
  chunksOf,
  follow,
  message,
  messages,
  recordsOf,
  sequencesOf,
  textsOf,
} from "../messages.ts";
import { rejects } from "../rejects.ts";

const journal = suite<{ directory: TemporaryDirectory; path: string }>("journal");

journal.before.each((context) => {
  context.directory = temporaryDirectory();
  context.path = join(context.directory.path, "journal");
});
journal.after.each(({ directory }) => directory.remove());

const openAt = (directory: string) => openJournal({ directory, now: Date.now });

journal(
  "several processes append at once, and a follower in another process reads all",
  async ({ path }) => {
    const log = openAt(path);
    const follower = follow(log);
    const exits = await Promise.all([
      appendElsewhere(path, 1, 400),
      appendElsewhere(path, 401, 800),
    ]);
    assert.equal(exits, [0, 0]);
    const seen = await follower.sees(800);
    assert.equal(
      sequencesOf(seen),
      seen.map((_, at) => at + 1),
    );
    assert.is(new Set(textsOf(seen)).size, 800);
    await follower.stop();
    await log.close();
  },
);

journal(
  "the journal's identity is durable before the first append",
  async ({ path, directory }) => {
    let log: EventLog | undefined;
    const synced = () =>
      changesOf(() => {
        log = openAt(path);
      }).filter((change) => change.startsWith("sync"));
    const above = `sync ${basename(directory.path)}`;
    assert.equal(synced(), [above, `sync ${basename(path)}`, above]);
    await log?.close();
    assert.equal(synced(), []);
    await log?.close();
  },
);

journal("the journal stamps records with its own clock", async ({ path }) => {
  let now = 1_000;
  const log = openJournal({ directory: path, now: () => now });
  await log.append([message(1)]);
  now = 2_000;
  await log.append([message(2)]);
  assert.equal(
    (await recordsOf(log)).map(({ time }) => time),
    [1_000, 2_000],
  );
  assert.is((await log.identity()).created, "1970-01-01T00:00:01.000Z");
  await log.close();
});

journal(
  "a reader behind trimmed history gets a divergence, and trimmed ids stay known",
  async ({ path }) => {
    const log = openAt(path);
    await log.append(messages(1, 10));
    await trimJournal(path, 6);
    assert.equal(await log.bounds(), { first: 6, last: 10, isComplete: false });
    assert.equal(sequencesOf(await recordsOf(log, 5)), [6, 7, 8, 9, 10]);
    await rejects(() => recordsOf(log, 4), "divergence", /begins at 6/);
    assert.equal(await log.append([message(2)]), [{ sequence: 2, duplicate: true }]);
    await trimJournal(path, 11);
    assert.equal(await log.bounds(), { first: 11, last: 10, isComplete: false });
    assert.equal(await log.append([message(11)]), [{ sequence: 11, duplicate: false }]);
    await log.close();
  },
);

/** A message as an earlier version appended it: with the event's id alone. */
const underBareId = (event: CloudEvent): NewMessage => ({ ...toMessage(event), id: event.id });

journal(
  "the journal knows events of an earlier version, and separates equal ids of two sources",
  async ({ path }) => {
    const log = openAt(path);
    const [one, two] = [priceChanged({}, { id: "1" }), priceChanged({}, { id: "2" })];
    const other = priceChanged({}, { id: "1", source: "/erp" });
    await log.append([one, two].map(underBareId));
    assert.is((await log.find(toMessage(two)))?.sequence, 2);
    assert.is(await log.find(toMessage(other)), undefined);
    const again = await log.append([two, one, other, other].map((event) => toMessage(event)));
    assert.equal(
      again.map(({ sequence, duplicate }) => [sequence, duplicate]),
      [
        [2, true],
        [1, true],
        [3, false],
        [3, true],
      ],
    );
    await log.close();
  },
);

/** Reads the kilobytes of the journal's file that this process has mapped and read. */
const mappedKilobytes = (path: string): number => {
  const [, mapping = ""] = readFileSync("/proc/self/smaps", "utf8").split(join(path, "data.mdb"));
  return Number(/^Rss:\s+(\d+) kB$/m.exec(mapping)?.[1] ?? 0);
};

journal("a reopened journal has returned the memory of its reads", async ({ path }) => {
  const log = openAt(path);
  const body = Buffer.alloc(1_000);
  await log.append(messages(1, 4_000).map((each) => ({ ...each, body })));
  const follower = follow(log);
  await follower.sees(4_000);
  assert.ok(mappedKilobytes(path) > 4_000, `${mappedKilobytes(path)} kB`);
  const reopened = log.reopen();
  // Calls during it wait.
  const [bounds] = await Promise.all([log.bounds(), reopened, follower.ends()]);
  assert.is(bounds.last, 4_000);
  assert.ok(mappedKilobytes(path) < 500, `${mappedKilobytes(path)} kB`);
  await log.append([message(4_001)]);
  assert.equal(sequencesOf(await recordsOf(log, 3_999)), [4_000, 4_001]);
  renameSync(path, `${path}-old`);
  const other = openAt(path);
  await rejects(() => log.reopen(), "reopen", /replaced/);
  await rejects(() => log.identity(), "reopen", /replaced/);
  await Promise.all([log.close(), other.close()]);
});

journal("a reader that is overtaken by trimming gets a divergence", async ({ path }) => {
  const log = openAt(path);
  await log.append(messages(1, 3000));
  const read = async () => {
    for await (const chunk of log.read({ after: 0, follow: false })) {
      if (chunk[0]?.sequence === 1) await trimJournal(path, 2000);
    }
  };
  await rejects(read, "divergence", /begins at 2000/);
  await log.close();
});

journal("follower and appender notice that the directory was replaced", async ({ path }) => {
  const log = openAt(path);
  await log.append(messages(1, 2));
  const follower = follow(log);
  await follower.sees(2);
  renameSync(path, `${path}-moved`);
  await openAt(path).close();
  await rejects(() => log.append([message(3)]), "reopen", /replaced/);
  await rejects(() => log.identity(), "reopen", /replaced/);
  await rejects(() => follower.ends(), "reopen", /replaced/);
  await log.close();
});

journal(
  "the journal opens read-only next to a writer, and then rejects appends",
  async ({ path }) => {
    const writer = openAt(path);
    await writer.append(messages(1, 2));
    const log = openJournal({ directory: path, readOnly: true, now: Date.now });
    await writer.append(messages(3, 3));
    assert.equal(sequencesOf(await recordsOf(log)), [1, 2, 3]);
    assert.equal(await log.identity(), await writer.identity());
    await rejects(() => log.append([message(4)]), "not_writable", /reading only/);
    await log.close();
    await writer.close();
  },
);

journal("a directory with other files is rejected with its name and a hint", async ({ path }) => {
  mkdirSync(path);
  writeFileSync(join(path, "letters.txt"), "dear shop");
  const refused = await rejects(() => openAt(path), "data_dir", /is not a Vitrine journal/);
  assert.ok(refused.message.includes(path) && refused.hint !== "");
});

journal(
  "a data file that is not a database is rejected before LMDB crashes the process",
  async ({ path }) => {
    mkdirSync(path);
    writeFileSync(join(path, "data.mdb"), "not a database, but long enough to look like one");
    await rejects(() => openAt(path), "data_dir", /is not a Vitrine journal/);
  },
);

journal(
  "a read-only open of a missing journal is an error and creates nothing",
  async ({ path, directory }) => {
    const open = () => openJournal({ directory: path, readOnly: true, now: Date.now });
    await rejects(open, "data_dir", /holds no journal/);
    await rejects(open, "data_dir", /holds no journal/);
    await openAt(path).close();
    await rejects(() => trimJournal(directory.path, 1), "data_dir");
  },
);

journal("an empty ext4 volume, which has lost+found, takes a journal", async ({ path }) => {
  mkdirSync(join(path, "lost+found"), { recursive: true });
  const log = openAt(path);
  await log.append(messages(1, 2));
  assert.is((await log.bounds()).last, 2);
  await log.close();
});

/** Lists the files below a path that this process has open. */
const openFilesOf = (path: string): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(path) ? [file] : [];
    } catch {
      return [];
    }
  });

const makeOther = async (path: string): Promise<void> => {
  const other = openEnvironment({ path, readOnly: false });
  other.openDatabases(() => other.root.openDB({ name: "other" }));
  await other.close();
};

journal("trimming and full reads close a database that is not a journal", async ({ path }) => {
  await makeOther(path);
  for (const work of [
    () => trimJournal(path, 5),
    () => readJournalFully(path, "quick"),
    () => readJournalFully(path, "whole"),
  ]) {
    await rejects(work, "data_dir", /is not a Vitrine journal/);
    assert.equal(openFilesOf(path), []);
  }
});

journal("a first read begins wherever the log begins at that time", async ({ path }) => {
  const log = openAt(path);
  await log.append(messages(1, 10));
  await trimJournal(path, 6);
  await rejects(() => recordsOf(log), "divergence", /trimmed unread/);
  const read = (await chunksOf(log, { allowLateStart: true })).flat();
  assert.equal(sequencesOf(read), [6, 7, 8, 9, 10]);
  const later = (await chunksOf(log, { after: 7, allowLateStart: true })).flat();
  assert.equal(sequencesOf(later), [8, 9, 10]);
  await trimJournal(path, 11);
  const rest = (await chunksOf(log, { allowLateStart: true })).flat();
  assert.equal(sequencesOf(rest), []);
  await rejects(
    () => chunksOf(log, { after: 11, allowLateStart: true }),
    "divergence",
    /rolled back/,
  );
  await log.close();
});

journal("a database that is not a journal is not left open", async ({ path }) => {
  await makeOther(path);
  const opened = () => openFilesOf(path).length;
  for (let times = 0; times < 3; times += 1) {
    const open = () => openJournal({ directory: path, readOnly: true, now: Date.now });
    await rejects(open, "data_dir", /is not a Vitrine journal/);
  }
  await until(
    async () => opened(),
    (files) => files === 0,
    10,
  );
});

journal("an unwritable path is rejected", async ({ directory }) => {
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  const refused = await rejects(
    () => openAt(join(file, "journal")),
    "not_writable",
    /cannot be used/,
  );
  assert.match(refused.hint, /right to write/);
});

journal("a damaged record is reported with its sequence", async ({ path }) => {
  const log = openAt(path);
  await log.append([message(1), message(2, { body: Buffer.from("PRICE 12.90 EUR") })]);
  await log.close();
  const file = join(path, "data.mdb");
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf("PRICE"); at >= 0; at = bytes.indexOf("PRICE", at + 1)) {
    bytes.write("PRICE 99", at);
  }
  writeFileSync(file, bytes);
  const damaged = openAt(path);
  await rejects(() => damaged.get(2), "log_damaged", /damaged: record 2/);
  await rejects(() => recordsOf(damaged), "log_damaged", /damaged: record 2/);
  assert.is((await damaged.get(1))?.subject, "shop.product.1");
  await damaged.close();
});

journal(
  "an append is rejected when the stored account of the newest event is wrong",
  async ({ path }) => {
    await openAt(path).append(messages(1, 5));
    for (const account of [2, 9, "five"]) {
      const tables = openTables(path, false);
      tables.env.write(() => tables.meta.putSync("last", account as number));
      await closeTables(tables);
      const damaged = openAt(path);
      const messageText = new RegExp(
        `is damaged: its newest event is 5, but it recorded ${Number(account)}`,
      );
      await rejects(() => damaged.append([message(6)]), "log_damaged", messageText);
      await rejects(() => damaged.bounds(), "log_damaged", messageText);
      await damaged.close();
      await rejects(() => assertIntact(path), "log_damaged", messageText);
    }
  },
);

journal(
  "a writer that closes a journal after an append spares the next process a probe",
  async ({ path }) => {
    const isProbed = async (): Promise<boolean> =>
      (await probeUnlessMarked(path, async () => "probed")) === "probed";
    const writer = openAt(path);
    await writer.append(messages(1, 5));
    await writer.close();
    assert.not(await isProbed());
    const tables = openTables(path, false);
    tables.env.write(() => tables.meta.putSync("last", 2));
    await closeTables(tables);
    const damaged = openAt(path);
    await rejects(() => damaged.append([message(6)]), "log_damaged");
    await damaged.close();
    assert.ok(await isProbed());
  },
);

journal("pages that LMDB cannot read are reported as damage", async ({ path }) => {
  const writer = openAt(path);
  await writer.append(messages(1, 3_000));
  const reader = openJournal({ directory: path, now: Date.now, readOnly: true });
  const file = join(path, "data.mdb");
  const bytes = readFileSync(file);
  // In place: a file that is replaced would stay intact for its readers.
  const pages = openSync(file, "r+");
  writeSync(pages, Buffer.alloc(bytes.length - 20 * 4_096), 0, undefined, 20 * 4_096);
  closeSync(pages);
  const words = /^the journal \S+ is damaged: MDB_/;
  await rejects(() => recordsOf(reader), "log_damaged", words);
  await rejects(() => reader.get(1_500), "log_damaged", words);
  await reader.close();
  await writer.close();
});

journal("an empty journal whose creation was interrupted is completed", async ({ path }) => {
  const cutOff: Readonly<Record<string, (at: string) => Promise<void>>> = {
    "before its tables": (at) =>
      openEnvironment({ path: at, readOnly: false, encoding: "binary" }).close(),
    "before its identity": (at) => closeTables(openTables(at, false)),
  };
  for (const [step, make] of Object.entries(cutOff)) {
    const begun = join(path, step);
    await make(begun);
    await assertIntact(begun);
    const log = openAt(begun);
    await log.append([message(1)]);
    assert.is((await log.bounds()).last, 1, step);
    await log.close();
    await assertIntact(begun);
    // Once it holds events, missing parts are an error.
    const tables = openTables(begun, false);
    tables.env.write(() => tables.meta.removeSync("identity"));
    await closeTables(tables);
    await rejects(() => assertIntact(begun), "log_damaged", /is not a Vitrine journal/);
  }
});

journal(
  "another small LMDB file is not a journal whose creation was interrupted",
  async ({ path }) => {
    const env = openEnvironment<string, string>({ path, readOnly: false, encoding: "string" });
    env.write(() => env.root.putSync("key", "value"));
    await env.close();
    await rejects(() => assertIntact(path), "log_damaged", /is not a Vitrine journal/);
  },
);

journal(
  "a missing event within the journal is reported, and no later event is read",
  async ({ path }) => {
    await openAt(path).append(messages(1, 300));
    const tables = openTables(path, false);
    tables.env.write(() => tables.events.removeSync(150));
    await closeTables(tables);
    const damaged = openAt(path);
    for (const after of [0, 149]) {
      await rejects(() => recordsOf(damaged, after), "log_damaged", /damaged: record 150/);
    }
    assert.is((await recordsOf(damaged, 150)).length, 150);
    await damaged.close();
    assert.is(await probeJournal(path, "quick"), undefined);
    assert.is(await probeJournal(path, "whole"), "record 150 is not what was written");
  },
);

async function appendElsewhere(path: string, from: number, to: number): Promise<number | null> {
  const args = [...testProgram("test/event-log/append-many"), path, String(from), String(to)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code;
}

journal.run();
