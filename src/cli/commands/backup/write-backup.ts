import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../../errors.ts";
import type { LogBounds } from "../../../event-log/event-log.ts";
import { corruptJournal } from "../../../event-log/journal/directory.ts";
import { openJournal } from "../../../event-log/journal/index.ts";
import { assertIntact, probeJournal } from "../../../event-log/journal/integrity.ts";
import { closeAfter } from "../../../platform/async.ts";
import { fsyncPath } from "../../../platform/durable-fs.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import {
  type BackupFile,
  copyEnvironment,
  dataFile,
  hashFile,
  removeLockFile,
} from "../../../read-model/generations/backup.ts";
import {
  type BackupManifest,
  backupPaths,
  layoutOf,
  writeManifest,
} from "../../../read-model/generations/backup-manifest.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { probeGeneration } from "../../../read-model/integrity/probe.ts";
import {
  damagedOperatorState,
  hasOperatorState,
  operatorDirectory,
} from "../../../read-model/operator/directory.ts";
import {
  assertOperatorStateIntact,
  probeOperatorState,
} from "../../../read-model/operator/integrity.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { flagForCheck } from "../../../read-model/store/damage-flag.ts";
import { readCheckpoint } from "../../../read-model/store/store.ts";
import { readGeneration } from "../../live-store.ts";
import type { LogConfig } from "../../shared-options.ts";
import { hasUsableSecret, tokenSecretFile } from "../../tokens/secret.ts";
import { copyConnections } from "./copy-connections.ts";

/** Writes a backup of a live generation: model, connections, journal, operator state, token secret and manifest. */
export const writeBackup = async (
  target: string,
  directory: DataDirectory,
  live: string,
  config: LogConfig,
): Promise<BackupManifest> => {
  const checkpoint = await copyModel(live, join(target, backupPaths.model));
  const connections = await copyConnections(directory.path, target);
  const journal = await copyJournal(directory.path, target, config, checkpoint);
  const hasOperator = await copyOperatorState(directory.path, target);
  const hasSecret = copySecret(directory.path, target);
  const paths = [
    join(backupPaths.model, dataFile),
    ...(journal ? [join(backupPaths.journal, dataFile)] : []),
    ...(hasOperator ? [join(backupPaths.operator, dataFile)] : []),
    ...connections,
    ...(hasSecret ? [backupPaths.tokenSecret] : []),
  ];
  const files: BackupFile[] = [];
  for (const path of paths) files.push({ path, ...(await hashFile(join(target, path))) });
  const { sequence, identity, lastEventTime, projections } = checkpoint;
  const manifest: BackupManifest = {
    product: "vitrine",
    layout: layoutOf(files),
    made: new Date().toISOString(),
    generation: basename(live),
    checkpoint: {
      sequence,
      identity,
      lastEventTime: lastEventTime > 0 ? new Date(lastEventTime).toISOString() : null,
    },
    projections,
    journal: journal && { first: journal.first, last: journal.last },
    files,
  };
  writeManifest(target, manifest);
  return manifest;
};

const copyModel = async (live: string, to: string): Promise<Checkpoint> => {
  await copyEnvironment(live, to);
  const checkpoint = await readGeneration(to, readCheckpoint);
  if (!checkpoint) throw new VitrineError("no_model", `${live} has no checkpoint: it is empty`);
  await assertReadable(live, to);
  removeLockFile(to);
  return checkpoint;
};

/** Reads the copy fully, because without that only the restore would notice damaged pages. */
const assertReadable = async (live: string, copy: string): Promise<void> => {
  const damage = await probeGeneration(copy, "whole");
  if (damage === undefined) return;
  flagForCheck(live, damage);
  throw new VitrineError(
    "model_damaged",
    `the model ${live} is damaged: ${damage}`,
    "a running service rebuilds it from the event log; take the backup when the service is ready",
  );
};

/**
 * Copies the operator state after the model, because each row is written there before the model.
 * @returns false when there is none yet: in a directory of an earlier version it is part of the model
 */
const copyOperatorState = async (dataDir: string, target: string): Promise<boolean> => {
  if (!hasOperatorState(dataDir)) return false;
  await assertOperatorStateIntact(dataDir);
  const to = join(target, backupPaths.operator);
  await copyEnvironment(operatorDirectory(dataDir), to);
  const damage = await probeOperatorState(to);
  if (damage !== undefined) throw damagedOperatorState(operatorDirectory(dataDir), damage);
  removeLockFile(to);
  return true;
};

/**
 * Copies the token secret.
 * @returns false when there is none: it is configured elsewhere, or no token was ever issued
 * @throws VitrineError `not_writable` when the secret is unusable: a running service does not notice, and no backup
 * would contain it
 */
const copySecret = (dataDir: string, target: string): boolean => {
  if (!hasUsableSecret(dataDir)) return false;
  const to = join(target, backupPaths.tokenSecret);
  copyFileSync(join(dataDir, tokenSecretFile), to);
  chmodSync(to, 0o600);
  fsyncPath(to);
  return true;
};

/**
 * Copies the journal of the data directory if the model follows it. Other logs have backups of their own.
 * @returns null when no journal is copied
 * @throws VitrineError `divergence` when the journal could not be restored with the model
 */
const copyJournal = async (
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
