import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { BackupReport } from "../../../../src/cli/commands/backup/command.ts";
import type { RestoreReport } from "../../../../src/cli/commands/restore/command.ts";
import { restore } from "../../../../src/cli/commands/restore/command.ts";
import { logSettings } from "../../../../src/cli/shared-options.ts";
import { readConfig } from "../../../../src/config.ts";
import type { EventLog } from "../../../../src/event-log/event-log.ts";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import { openEventLog } from "../../../../src/event-log/open.ts";
import { lockDirectory } from "../../../../src/projector/integrity/lock.ts";
import { hashFile } from "../../../../src/read-model/generations/backup.ts";
import {
  readManifest,
  writeManifest,
} from "../../../../src/read-model/generations/backup-manifest.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import type { OperatorRow } from "../../../../src/read-model/operator/rows.ts";
import {
  openOperatorReader,
  openOperatorState,
  readRevocationFloor,
} from "../../../../src/read-model/operator/state.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { type Digest, openStore } from "../../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import {
  productUpserted,
  settingsUpdated,
  tokenRegenerated,
  tokenRevoked,
} from "../../../helpers/events.ts";
import { shopAtWork } from "../../../helpers/life.ts";
import { changesDuring } from "../../../helpers/name-changes.ts";
import { startNats } from "../../../helpers/nats.ts";
import { putLegacyRows } from "../../../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { markTextData, otherTextData } from "../../../helpers/text-data.ts";
import { run } from "../../../helpers/vitrine.ts";

const test = suite("backup and restore");

const newPath = (name: string) => join(temporaryDirectory().path, name);
const journalIn = (dataDir: string): EventLog => {
  openDataDirectory(dataDir);
  return openJournal({ directory: join(dataDir, "journal"), now: Date.now });
};

const backedUp = async (target: string, ...args: string[]): Promise<BackupReport> => {
  const { code, stdout, stderr } = await runHere(["backup", target, "--json", ...args]);
  assert.is(code, 0, stderr);
  return JSON.parse(stdout);
};
const restored = async (from: string, ...args: string[]): Promise<RestoreReport> => {
  const { code, stdout, stderr } = await runHere(["restore", from, "--json", ...args]);
  assert.is(code, 0, stderr);
  return JSON.parse(stdout);
};

const digestAt = async (dataDir: string): Promise<Digest> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
  const digest = store.digest();
  await store.close();
  return digest;
};

/** Follows a log to its end, and returns the digest of the model. */
const caughtUp = async (dataDir: string, log: EventLog): Promise<Digest> => {
  const { last } = await log.bounds();
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(last));
  const digest = await projector.digest();
  await projector.stop();
  return digest;
};

/** Creates a directory with a journal and a model of a small shop. */
const smallShop = async (products = 3): Promise<string> => {
  const dataDir = newPath("data");
  const log = journalIn(dataDir);
  const upserts = Array.from({ length: products }, (_, at) => productUpserted({ id: at + 1 }));
  await append(log, settingsUpdated(), ...upserts);
  await caughtUp(dataDir, log);
  await log.close();
  return dataDir;
};

let made: Promise<BackupReport> | undefined;
const original = newPath("backup");

/** Copies the backup of a small shop, which is made once, because a backup checks its files in processes. */
const copyOfBackup = async (): Promise<string> => {
  made ??= smallShop().then((dataDir) => backedUp(original, "--data-dir", dataDir));
  await made;
  const copy = newPath("backup");
  cpSync(original, copy, { recursive: true });
  return copy;
};

/** Appends events continuously while `during` runs. */
const whileStreaming = async <T>(
  log: EventLog,
  life: readonly Parameters<typeof append>[1][],
  during: () => Promise<T>,
): Promise<T> => {
  let isDone = false;
  const streaming = (async () => {
    for (let at = 0; !isDone && at < life.length; at += 5) {
      await append(log, ...life.slice(at, at + 5));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const result = await during().finally(() => {
    isDone = true;
  });
  await streaming;
  return result;
};

test("a backup copies a consistent snapshot while events arrive, and is restored elsewhere with its journal", async () => {
  const dataDir = newPath("data");
  const log = journalIn(dataDir);
  const life = [...shopAtWork(200, 10_000)];
  await append(log, ...life.slice(0, 500));
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(500));
  const target = newPath("backup");
  const during = () => run(["backup", target, "--json", "--data-dir", dataDir]);
  const { stdout, stderr } = await whileStreaming(log, life.slice(500), during);
  assert.is(stderr, "");
  const manifest: BackupReport = JSON.parse(stdout);
  const { last } = await log.bounds();
  await projector.until(isLiveAt(last));
  const { sequence } = manifest.checkpoint;
  assert.ok(sequence >= 500 && sequence < last, `${sequence} of ${last}: no event arrived`);
  assert.ok((manifest.journal?.last ?? 0) >= sequence, "the journal is never behind the model");
  await projector.stop();
  await log.close();

  const elsewhere = newPath("elsewhere");
  const { behind, journal } = await restored(target, "--data-dir", elsewhere);
  assert.is(journal, true);
  assert.is(behind, (manifest.journal?.last ?? 0) - sequence);
  const copy = journalIn(elsewhere);
  assert.equal(await copy.bounds(), { first: 1, last: manifest.journal?.last, isComplete: true });
  const clean = await caughtUp(newPath("clean"), copy);
  assert.equal(await caughtUp(elsewhere, copy), clean, "as if the projector had never stopped");
  await copy.close();
});

test("a backup is restored next to a NATS log, and catches up with later events", async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  const life = [...shopAtWork(100, 900)];
  const dataDir = newPath("data");
  await append(log, ...life.slice(0, 300));
  await caughtUp(dataDir, log);
  const target = newPath("backup");
  const events = ["--events", nats.url];
  const manifest = await backedUp(target, "--data-dir", dataDir, ...events);
  assert.is(manifest.journal, null);
  assert.is(manifest.checkpoint.sequence, 300);
  await append(log, ...life.slice(300));

  const elsewhere = newPath("elsewhere");
  const without = await runHere(["restore", target, "--data-dir", elsewhere]);
  assert.is(without.code, 2);
  assert.match(without.stderr, "the backup follows the event log SHOP, and holds no journal");
  const { behind, journal, sequence } = await restored(target, "--data-dir", elsewhere, ...events);
  assert.equal({ behind, journal, sequence }, { behind: 600, journal: false, sequence: 300 });
  assert.equal(await caughtUp(elsewhere, log), await caughtUp(newPath("clean"), log));
  await log.close();
  await nats.remove();
});

test("a restore keeps the generation that was live, and every existing journal", async () => {
  const dataDir = await smallShop();
  const target = newPath("backup");
  await backedUp(target, "--data-dir", dataDir);
  const log = journalIn(dataDir);
  await append(log, productUpserted({ id: 9 }));
  const newest = await caughtUp(dataDir, log);
  const { code, stdout, stderr } = await runHere(["restore", target, "--data-dir", dataDir]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^restored \S+ as generation 0002, at sequence 4$/m);
  assert.match(stdout, /^generation 0001, which was live, is kept: vitrine rollback goes back$/m);
  assert.match(stderr, "the log holds 1 later event: vitrine serve applies them");
  assert.is(openDataDirectory(dataDir).previous(), join(dataDir, "generations", "0001"));
  assert.is((await log.bounds()).last, 5);
  assert.equal(await caughtUp(dataDir, log), newest);
  assert.equal(readdirSync(join(dataDir, "generations")), ["0001", "0002"]);
  assert.not(existsSync(join(dataDir, "scratch")));
  await log.close();
});

test("a backup contains the token secret, readable by its owner only, and a restore replaces no other", async () => {
  const dataDir = await smallShop();
  writeFileSync(join(dataDir, "token-secret"), "the secret of the first\n", { mode: 0o600 });
  const target = newPath("backup");
  const { code, stdout, stderr } = await run(["backup", target, "--data-dir", dataDir]);
  assert.is(code, 0);
  assert.match(stdout, "backed up generation 0001 at sequence 4 of journal-");
  assert.match(stdout, "with the journal: 4 events");
  assert.match(stderr, "the backup contains the secret that signs tokens");
  assert.not.match(stdout + stderr, "the secret of the first");
  assert.is(statSync(join(target, "token-secret")).mode & 0o777, 0o600);
  assert.is(statSync(target).mode & 0o777, 0o700);

  // As a copy on another disk may be.
  const files = ["token-secret", "model/data.mdb", "journal/data.mdb"];
  for (const file of files) chmodSync(join(target, file), 0o666);
  const elsewhere = newPath("elsewhere");
  assert.is((await restored(target, "--data-dir", elsewhere)).tokenSecret, "restored");
  for (const file of ["live/data.mdb", "journal/data.mdb"]) {
    assert.is(statSync(join(elsewhere, file)).mode & 0o777, 0o600, file);
  }
  const secret = join(elsewhere, "token-secret");
  assert.is(readFileSync(secret, "utf8"), "the secret of the first\n");
  assert.is(statSync(secret).mode & 0o777, 0o600);
  assert.is((await restored(target, "--data-dir", elsewhere)).tokenSecret, "kept");
  writeFileSync(secret, "another secret of this place\n");
  assert.is((await restored(target, "--data-dir", elsewhere)).tokenSecret, "differs");
  assert.is(readFileSync(secret, "utf8"), "another secret of this place\n");
});

test("a restored directory is durable before it has its name", async () => {
  const dataDir = await smallShop();
  writeFileSync(join(dataDir, "token-secret"), "the secret of the first\n", { mode: 0o600 });
  const target = newPath("backup");
  await backedUp(target, "--data-dir", dataDir);
  const config = readConfig({ dataDir: newPath("data") }, {}, logSettings);
  const { signal } = new AbortController();
  const changes = await changesDuring(() => restore(config, target, signal));
  const essential = changes.filter((change) => !/^remove (lock|data\.mdb\.)/.test(change));
  assert.equal(
    essential
      .slice(essential.indexOf("sync data.mdb"))
      .map((change) => change.replace(/-[0-9a-f]{12}$/, "")),
    [
      // The copies of the model, the journal, the operator state and the secret.
      ...["sync data.mdb", "sync data.mdb", "sync data.mdb", "sync token-secret"],
      // The operator state is created and filled.
      ...["sync data.mdb", `sync .operator.${process.pid}.new`, "rename operator", "sync data"],
      // The name of the secret, then the journal with its name.
      ...["sync data", "sync restore-journal", "rename journal", "sync data"],
      // The model becomes a generation, and then live.
      ...["sync data.mdb", "sync restore", "rename 0001", "sync generations"],
      ...["sync 0001", "sync generations", "rename live", "sync data", "remove scratch"],
    ],
  );
});

test("a backup with an unusable token secret is rejected, and a restore replaces such a secret", async () => {
  const dataDir = await smallShop();
  const secret = join(dataDir, "token-secret");
  writeFileSync(secret, "the secret of the first\n", { mode: 0o600 });
  const good = newPath("backup");
  assert.is((await runHere(["backup", good, "--data-dir", dataDir])).code, 0);
  writeFileSync(secret, "");
  const bad = newPath("backup");
  const { code, stderr } = await runHere(["backup", bad, "--data-dir", dataDir]);
  assert.is(code, 3, stderr);
  assert.match(stderr, /cannot use the secret of tokens in \S+token-secret: it is too short/);
  assert.not(existsSync(bad));
  assert.is((await restored(good, "--data-dir", dataDir)).tokenSecret, "restored");
  assert.is(readFileSync(secret, "utf8"), "the secret of the first\n");
});

test("a restore makes no revoked token valid, though the restored log has no event of it", async () => {
  const dataDir = await smallShop();
  const target = newPath("backup");
  await backedUp(target, "--data-dir", dataDir);
  const log = journalIn(dataDir);
  await append(log, tokenRegenerated("kept", 1), tokenRevoked("leaky", 0));
  await caughtUp(dataDir, log);
  await log.close();
  const withdrawn = async () => {
    const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
    const operator = openOperatorReader(dataDir);
    const found = ["leaky", "kept"].map((label) => readRevocationFloor(store, operator, label));
    await store.close();
    await operator.close();
    return found;
  };
  const expected = [
    { generation: 0, revoked: true },
    { generation: 1, revoked: false },
  ];
  rmSync(join(dataDir, "journal"), { recursive: true });
  assert.ok((await restored(target, "--data-dir", dataDir)).journal);
  const matched = async () =>
    (await withdrawn()).map((row) => ({ generation: row?.generation, revoked: row?.revoked }));
  assert.equal(await matched(), expected);
  const again = journalIn(dataDir);
  await append(again, productUpserted({ id: 9 }));
  await caughtUp(dataDir, again);
  await again.close();
  assert.equal(await matched(), expected);

  const file = join(openDataDirectory(dataDir).live() ?? "", "data.mdb");
  writeFileSync(file, readFileSync(file).fill(0, 0, 3 * 4096));
  // Also where the live model is damaged.
  await restored(target, "--data-dir", dataDir);
  assert.equal(await matched(), expected);
});

const operatorRows = async (dataDir: string): Promise<readonly OperatorRow[]> => {
  const reader = openOperatorReader(dataDir);
  const rows = reader.rows();
  await reader.close();
  return rows;
};

const revoked = { generation: 2, revoked: true };

test("a restore brings revocations of an earlier log and discards, and takes none back", async () => {
  const dataDir = await smallShop();
  const rows: readonly OperatorRow[] = [
    { kind: "revocation", label: "former", ...revoked },
    { kind: "revocation", label: "leaky", generation: 1, revoked: false },
    { kind: "discard", log: "journal-1", sequence: 3, event: "digest", time: 7 },
  ];
  const origin = openOperatorState(dataDir);
  origin.add(rows);
  await origin.close();
  const target = newPath("backup");
  const { files } = await backedUp(target, "--data-dir", dataDir);
  assert.ok(files.some(({ path }) => path === "operator/data.mdb"));
  const elsewhere = newPath("data");
  await restored(target, "--data-dir", elsewhere);
  assert.equal(await operatorRows(elsewhere), rows);

  const since: OperatorRow = { kind: "revocation", label: "leaky", ...revoked };
  const operatorState = openOperatorState(elsewhere);
  operatorState.add([since]);
  await operatorState.close();
  await restored(target, "--data-dir", elsewhere);
  assert.equal(await operatorRows(elsewhere), [rows[0], since, rows[2]]);

  const file = join(target, "operator", "data.mdb");
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
  writeFileSync(file, bytes);
  const { code, stderr } = await runHere(["restore", target, "--data-dir", elsewhere]);
  assert.is(code, 3);
  assert.match(stderr, "operator/data.mdb: its bytes are not the ones that were backed up");
});

test("a restore takes over the operator rows in the model of an earlier version", async () => {
  const target = await copyOfBackup();
  rmSync(join(target, "operator"), { recursive: true });
  await putLegacyRows(join(target, "model"), { withdrawn: { earlier: revoked } });
  for (const name of ["lock.mdb", "gate"]) {
    rmSync(join(target, "model", name), { recursive: true, force: true });
  }
  const manifest = readManifest(target);
  const file = { path: "model/data.mdb", ...(await hashFile(join(target, "model", "data.mdb"))) };
  const journal = manifest.files.filter(({ path }) => path === "journal/data.mdb");
  writeManifest(target, { ...manifest, layout: 1, files: [file, ...journal] });
  const elsewhere = newPath("data");
  await restored(target, "--data-dir", elsewhere);
  assert.equal(await operatorRows(elsewhere), [
    { kind: "revocation", label: "earlier", ...revoked },
  ]);
});

test("a restore rejects the backup of another log, and changes nothing", async () => {
  const target = await copyOfBackup();
  const dataDir = await smallShop();
  const before = await digestAt(dataDir);
  const { code, stderr } = await runHere(["restore", target, "--data-dir", dataDir]);
  assert.is(code, 5);
  assert.match(
    stderr,
    /is of another event log: the model follows journal-\w+ created \S+, and journal /,
  );
  assert.match(stderr, "name the log that the backup was made from with --events");
  assert.equal(await digestAt(dataDir), before);
  assert.not(existsSync(join(dataDir, "scratch")));

  // A rejected restore creates no directory either.
  const nowhere = newPath("nowhere");
  const away = ["--events", "nats://127.0.0.1:1"];
  const refused = await runHere(["restore", target, "--data-dir", nowhere, ...away]);
  assert.is(refused.code, 4, refused.stderr);
  assert.not(existsSync(nowhere));
});

test("a restore rejects a backup that is newer than its log", async () => {
  const dataDir = await smallShop();
  const older = newPath("older");
  await backedUp(older, "--data-dir", dataDir);
  const log = journalIn(dataDir);
  await append(log, productUpserted({ id: 9 }));
  await caughtUp(dataDir, log);
  await log.close();
  const younger = newPath("younger");
  await backedUp(younger, "--data-dir", dataDir);
  const elsewhere = newPath("elsewhere");
  await restored(older, "--data-dir", elsewhere);
  const { code, stderr } = await runHere(["restore", younger, "--data-dir", elsewhere]);
  assert.is(code, 5);
  assert.match(stderr, /the event log does not continue the backup: .* before the checkpoint 5/);
});

test("a restore rejects a damaged backup, whatever file is damaged, and changes nothing", async () => {
  const target = newPath("backup");
  const dataDir = await smallShop();
  writeFileSync(join(dataDir, "token-secret"), "the secret of the first\n");
  await backedUp(target, "--data-dir", dataDir);
  const elsewhere = newPath("elsewhere");
  const damages: readonly (readonly [string, RegExp, (path: string) => void])[] = [
    ["model/data.mdb", /model\/data.mdb: its bytes are not the ones/, flip],
    ["journal/data.mdb", /journal\/data.mdb: it has \d+ bytes, \d+ were backed up/, grow],
    ["token-secret", /token-secret is missing/, (path) => rmSync(path)],
    ["manifest.json", /its manifest.json cannot be read/, (path) => writeFileSync(path, "{}{")],
  ];
  for (const [file, message, damage] of damages) {
    const path = join(target, file);
    const fullBackup = readFileSync(path);
    damage(path);
    const { code, stderr } = await runHere(["restore", target, "--data-dir", elsewhere]);
    assert.is(code, 3, file);
    assert.match(stderr, message);
    writeFileSync(path, fullBackup);
  }
  assert.is(openDataDirectory(elsewhere).live(), undefined);
  assert.not(existsSync(join(elsewhere, "journal")));
  assert.not(existsSync(join(elsewhere, "scratch")));
  await restored(target, "--data-dir", elsewhere);
});

test("a rejected restore leaves no new directory, and an empty one empty", async () => {
  const target = await copyOfBackup();
  flip(join(target, "model", "data.mdb"));
  const parent = newPath("parent");
  mkdirSync(parent);
  const empty = join(parent, "empty");
  mkdirSync(empty);
  const file = join(parent, "file");
  writeFileSync(file, "");
  // Nothing can be locked there: the file names would exceed the limit of the system.
  const long = join(parent, ...Array.from({ length: 21 }, () => "x".repeat(190)));
  const unlockable = join(long, "y".repeat(4094 - long.length - "/projector.lock".length));
  for (const path of [join(parent, "new", "data"), empty, file, unlockable]) {
    const { code, stderr } = await runHere(["restore", target, "--data-dir", path]);
    assert.is(code, 3, stderr);
  }
  assert.equal(readdirSync(parent).sort(), ["empty", "file"]);
  assert.equal(readdirSync(empty), []);
});

const flip = (path: string): void => {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
const grow = (path: string): void => appendFileSync(path, "x");

test("a backup rejects damaged files, names them and gives a hint", async () => {
  // So many that a quick check of both ends of a file does not find the damage in the middle.
  const dataDir = await smallShop(200);
  const live = openDataDirectory(dataDir).live() ?? "";
  for (const [directory, message, until] of [
    [join(dataDir, "journal"), /the journal \S+journal is damaged: record 100/, "Product 99"],
    [live, /the model \S+0001 is damaged: .*checksum/, "Product 99"],
  ] as const) {
    const file = join(directory, "data.mdb");
    const before = readFileSync(file);
    const changed = Buffer.from(before);
    for (let at = changed.indexOf(until); at >= 0; at = changed.indexOf(until, at + 1)) {
      changed.write("Pr0duct 99", at);
    }
    writeFileSync(file, changed);
    const target = newPath("backup");
    const { code, stderr } = await runHere(["backup", target, "--data-dir", dataDir]);
    assert.is(code, 3, stderr);
    assert.match(stderr, message);
    assert.not(existsSync(target));
    writeFileSync(file, before);
  }
});

test("a journal that cannot be opened is reported as damaged with a hint", async () => {
  const dataDir = await smallShop();
  const file = join(dataDir, "journal", "data.mdb");
  writeFileSync(file, readFileSync(file).fill(0, 0, 4 * 4096));
  const { code, stderr } = await runHere(["backup", newPath("backup"), "--data-dir", dataDir]);
  assert.is(code, 3, stderr);
  assert.match(stderr, /the journal \S+ is damaged/);
});

test("a backup rejects a model without the events it was made from, or with fewer", async () => {
  const dataDir = newPath("data");
  const refused = async () => {
    const { code, stderr } = await runHere(["backup", newPath("backup"), "--data-dir", dataDir]);
    assert.is(code, 5, stderr);
    return stderr;
  };
  const journal = journalIn(dataDir);
  await append(journal, settingsUpdated(), ...[1, 2, 3].map((id) => productUpserted({ id })));
  await caughtUp(dataDir, journal);
  await journal.close();
  cpSync(join(dataDir, "journal"), join(dataDir, "older"), { recursive: true });
  const again = journalIn(dataDir);
  await append(again, productUpserted({ id: 4 }));
  await caughtUp(dataDir, again);
  await again.close();
  rmSync(join(dataDir, "journal"), { recursive: true });
  cpSync(join(dataDir, "older"), join(dataDir, "journal"), { recursive: true });
  assert.match(await refused(), "rolled back");
  rmSync(join(dataDir, "journal"), { recursive: true });
  const other = journalIn(dataDir);
  await append(other, settingsUpdated());
  await other.close();
  assert.match(await refused(), "the model follows another journal");
});

test("a restore completes a journal whose creation was interrupted", async () => {
  const dataDir = await smallShop();
  const target = await copyOfBackup();
  const path = newPath("data");
  openDataDirectory(path);
  cpSync(join(dataDir, "journal", "gate"), join(path, "journal", "gate"), { recursive: true });
  assert.ok((await restored(target, "--data-dir", path)).journal);
});

test("a restore of a model by other projections says that the next start rebuilds it", async () => {
  const dataDir = await smallShop();
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
    stored.remove(tables.products, 2);
  });
  await store.close();
  const target = newPath("backup");
  await backedUp(target, "--data-dir", dataDir);
  const elsewhere = newPath("elsewhere");
  const { code, stderr } = await runHere(["restore", target, "--data-dir", elsewhere]);
  assert.is(code, 0);
  assert.match(stderr, "vitrine serve rebuilds the model from the event log");
  const log = journalIn(elsewhere);
  const projector = startProjector(elsewhere, log);
  await projector.until(({ state, generation }) => state === "live" && generation !== "0001");
  assert.is(await projector.read((snapshot) => snapshot.counts().products), 3);
  await projector.stop();
  await log.close();
});

test("a restore of a model with other text data says that the next start rebuilds it, and why", async () => {
  const dataDir = await smallShop();
  await markTextData(openDataDirectory(dataDir).live() ?? "", otherTextData);
  const target = newPath("backup");
  await backedUp(target, "--data-dir", dataDir);
  const model = await restored(target, "--data-dir", newPath("elsewhere"));
  assert.is(model.isOutdated, true);
  assert.match(model.outdatedReason ?? "", /^the text data of Node changed .*: icu 1\.0 → \d/);
});

test("each misuse is reported in plain words", async () => {
  const dataDir = await smallShop();
  const target = newPath("backup");
  const refused = async (code: number, message: RegExp | string, ...args: string[]) => {
    const found = await runHere([...args, "--data-dir", dataDir]);
    assert.is(found.code, code, found.stderr);
    assert.match(found.stderr, message);
  };
  mkdirSync(join(target, "full"), { recursive: true });
  writeFileSync(join(target, "file"), "");
  await refused(2, "is not empty", "backup", target);
  await refused(2, "it is a file", "backup", join(target, "file"));
  await refused(2, "is inside the data directory", "backup", join(dataDir, "backups", "one"));
  await refused(2, "is inside the data directory", "backup", join(dataDir, "..one"));
  await refused(3, "cannot write the backup", "backup", "/proc/nowhere/backup");
  await refused(2, "is no backup: it holds no manifest.json", "restore", target);
  await refused(2, "missing required argument", "restore");
  const none = await runHere(["backup", newPath("b"), "--data-dir", newPath("none")]);
  assert.is(none.code, 3);
  assert.match(none.stderr, "holds no read model yet");

  // An empty directory is accepted; an existing name is not overwritten.
  const fullBackup = join(target, "full");
  await backedUp(fullBackup, "--data-dir", dataDir);
  writeFileSync(
    join(target, "manifest.json"),
    readFileSync(join(fullBackup, "manifest.json"), "utf8").replace('"layout": 2', '"layout": 7'),
  );
  await refused(3, "laid out by another version of Vitrine (layout 7", "restore", target);
});

test("a restore is rejected while a projector runs", async () => {
  const dataDir = await smallShop();
  const target = await copyOfBackup();
  const release = await lockDirectory(dataDir, () => undefined);
  const { code, stderr } = await run(["restore", target, "--data-dir", dataDir]);
  assert.is(code, 3);
  assert.match(
    stderr,
    /another projector \(process \d+\) already writes to .*\n.*stop that projector first/,
  );
  await release();
});

test.run();
