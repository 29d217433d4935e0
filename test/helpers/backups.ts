import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as assert from "uvu/assert";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { hashFile } from "../../src/read-model/generations/backup.ts";
import { readManifest } from "../../src/read-model/generations/backup-manifest.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import { isLiveAt, startProjector } from "./projector.ts";

/** Opens the journal of a data directory; creates both when they do not exist. */
export const journalIn = (dataDir: string): EventLog => {
  openDataDirectory(dataDir);
  return openJournal({ directory: join(dataDir, "journal"), now: Date.now });
};

/**
 * Reads the digest of the live generation of a data directory.
 * @returns undefined when there is no live generation
 */
export const modelOf = async (dataDir: string): Promise<Digest | undefined> => {
  const live = openDataDirectory(dataDir).live();
  if (live === undefined) return undefined;
  const store = openStore(live, { readOnly: true });
  const digest = store.digest();
  await store.close();
  return digest;
};

/** Starts a projector, follows the journal to its end, and returns the digest of the read model. */
export const catchUp = async (dataDir: string): Promise<Digest> => {
  const log = journalIn(dataDir);
  const { last } = await log.bounds();
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(last));
  const digest = await projector.digest();
  await projector.stop();
  await log.close();
  return digest;
};

/** Lists the unfinished directories that interrupted backups to this target left behind. */
export const unfinished = (target: string): readonly string[] =>
  readdirSync(dirname(target)).filter((name) => name.startsWith(`${basename(target)}.unfinished-`));

/** Checks each file of a backup against its manifest. */
export const mustMatchManifest = async (target: string): Promise<void> => {
  for (const file of readManifest(target).files) {
    assert.equal({ path: file.path, ...(await hashFile(join(target, file.path))) }, file);
  }
};
