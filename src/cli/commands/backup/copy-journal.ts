import { existsSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../../errors.ts";
import type { LogBounds } from "../../../event-log/event-log.ts";
import { corruptJournal } from "../../../event-log/journal/directory.ts";
import { openJournal } from "../../../event-log/journal/index.ts";
import { assertIntact, probeJournal } from "../../../event-log/journal/integrity.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import {
  copyEnvironment,
  dataFile,
  removeLockFile,
} from "../../../read-model/generations/backup.ts";
import { backupPaths } from "../../../read-model/generations/backup-manifest.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { closeAfter } from "../../event-log.ts";
import type { LogConfig } from "../../shared-options.ts";

/**
 * Copies the journal of the data directory if the model follows it. Other logs have backups of their own.
 * @returns null when no journal is copied
 * @throws VitrineError `divergence` when the journal could not be restored with the model
 */
export const copyJournal = async (
  dataDir: string,
  target: string,
  config: LogConfig,
  checkpoint: Checkpoint,
): Promise<LogBounds | null> => {
  const from = join(dataDir, "journal");
  if (config.events !== "journal:" || !existsSync(join(from, dataFile))) return null;
  await assertIntact(from);
  if (!(await isJournalOf(checkpoint, from))) return null;
  const to = join(target, backupPaths.journal);
  await copyEnvironment(from, to);
  const damage = await probeJournal(to, "whole");
  if (damage !== undefined) throw corruptJournal(from, damage);
  return closeAfter(openToRead(to), async (copy) => {
    const divergence = await findDivergence(checkpoint, copy);
    if (divergence) throw notRestorable(`the journal ${from}: ${divergence.reason}`);
    return copy.bounds();
  }).finally(() => removeLockFile(to));
};

const openToRead = (directory: string) => openJournal({ directory, readOnly: true, now: Date.now });

/** False when the model follows a broker, which keeps the events. */
const isJournalOf = async ({ identity }: Checkpoint, journal: string): Promise<boolean> => {
  const { name, created } = await closeAfter(openToRead(journal), (opened) => opened.identity());
  if (name === identity.name && created === identity.created) return true;
  if (!identity.name.startsWith("journal-")) return false;
  throw notRestorable(`the model follows another journal than ${journal}`);
};

const notRestorable = (why: string): VitrineError =>
  new VitrineError(
    "divergence",
    why,
    "let the service rebuild the model first: vitrine status shows its state; take the backup when the service is ready",
  );
