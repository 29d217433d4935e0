import fs from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { writeAtomically } from "../../../src/cli/commands/backup/target.ts";
import { loadOrCreateSecret } from "../../../src/cli/tokens/secret.ts";
import { copyEnvironment } from "../../../src/read-model/generations/backup.ts";
import {
  type BackupManifest,
  writeManifest,
} from "../../../src/read-model/generations/backup-manifest.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";
import { changesDuring, changesOf } from "../../helpers/name-changes.ts";

const test = suite("names after a power cut");

test("a new data directory has durable names, with those of the directories created above it", () => {
  const home = temporaryDirectory();
  const path = join(home.path, "shops", "data");
  assert.equal(
    changesOf(() => void openDataDirectory(path)),
    [
      `sync ${basename(home.path)}`,
      "sync shops",
      `sync .vitrine.json.${process.pid}.new`,
      "rename vitrine.json",
      "sync data",
      // The name of the generations directory.
      "sync data",
    ],
  );
  home.remove();
});

test("a new token secret is durable before it is used", () => {
  const home = temporaryDirectory();
  const changes = changesOf(() => void loadOrCreateSecret(undefined, home.path));
  assert.equal(changes.slice(0, 2), [
    `sync token-secret.${process.pid}`,
    `sync ${basename(home.path)}`,
  ]);
  assert.equal(
    changesOf(() => void loadOrCreateSecret(undefined, home.path)),
    [],
  );
  home.remove();
});

test("a link and the names of its generation are durable", () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const first = directory.create();
  assert.equal(
    changesOf(() => directory.swap(first)),
    ["sync 0001", "sync generations", "rename live", "sync data"],
  );
  const second = directory.create();
  assert.equal(
    changesOf(() => directory.swap(second)),
    ["sync 0002", "sync generations", "rename previous", "sync data", "rename live", "sync data"],
  );
  home.remove();
});

test("a generation in quarantine stays there after a power cut", () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  for (const _ of [1, 2]) directory.swap(directory.create());
  assert.equal(
    changesOf(() => directory.quarantine(directory.live() ?? "")),
    [
      "rename live",
      "sync data",
      "remove previous",
      "sync data",
      "rename 0002",
      "sync generations",
      "sync quarantine",
      "sync data",
    ],
  );
  home.remove();
});

test("a generation built by a command is complete before it gets its name", () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const scratch = directory.createScratch("rebuild");
  fs.writeFileSync(join(scratch, "data.mdb"), "");
  assert.equal(
    changesOf(() => void directory.adoptScratch(scratch)),
    ["sync data.mdb", `sync ${basename(scratch)}`, "rename 0001", "sync generations"],
  );
  home.remove();
});

test("a backup is durable before it gets its name, and then its name is", async () => {
  const model = openModel();
  model.apply(productUpserted());
  const home = temporaryDirectory();
  const fill = async (destination: string): Promise<void> => {
    await copyEnvironment(model.store.directory, join(destination, "model"));
    writeManifest(destination, {} as BackupManifest);
  };
  const target = join(home.path, "backup");
  const unfinished = `sync backup.unfinished-${process.pid}`;
  assert.equal(await changesDuring(() => writeAtomically(target, model.store.directory, fill)), [
    unfinished,
    "sync data.mdb",
    "sync model",
    "sync manifest.json",
    unfinished,
    "rename backup",
    `sync ${basename(home.path)}`,
  ]);
  await model.close();
  home.remove();
});

test.run();
