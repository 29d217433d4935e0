import { existsSync } from "node:fs";
import { basename } from "node:path";
import { VitrineError } from "../../../errors.ts";
import { isLocked } from "../../../projector/integrity/lock.ts";
import { outdatedReason } from "../../../projector/projection-version.ts";
import { type ScratchContext, withScratch } from "../../../projector/rebuild/scratch.ts";
import {
  type BackupManifest,
  readManifest,
} from "../../../read-model/generations/backup-manifest.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import { argument, json, text } from "../../command-spec.ts";
import { withConnectionsLock, withDataDirectoryLock } from "../../data-directory-lock.ts";
import { defineCommand } from "../../define-command.ts";
import { assertNotFrozen } from "../../model-directory.ts";
import { withOperatorState } from "../../operator-state.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { formatCount, print, printError } from "../../terminal/output.ts";
import { interruptible } from "../../terminal/signals.ts";
import { connectionsOf } from "../backup/copy-connections.ts";
import { trackCreatedDirectories } from "./created-directories.ts";
import {
  addBackupRows,
  installConnections,
  installJournal,
  installSecret,
  type SecretInstallation,
} from "./install.ts";
import { assertBackupContinues, type StagedBackup, stageBackup } from "./stage-backup.ts";

export const restoreCommand = defineCommand({
  settings: logSettings,
  argument: argument("<dir>", "a directory that vitrine backup made", text),
  options: { json },
  examples: ["vitrine restore /backups/vitrine-2026-11-20 --data-dir ./data"],
  run: ({ config, argument: from }) =>
    interruptible(async (signal) => {
      const report = await restore(config, from, signal);
      return { json: report, show: () => showRestored(report, from) };
    }),
});

/**
 * Verifies a backup and makes it the live generation.
 * All files are copied to scratch first, then installed by renames. Their sequence leaves a directory that starts and
 * answers after any interruption.
 * @throws VitrineError `usage`, `backup_damaged`; `data_dir` or `not_writable` when the directory cannot be used;
 * `locked` when a projector runs, or a gateway whose connections are to be restored; `divergence` when the log is not the backup's or does not continue it; `event_log`
 * when it is unreachable
 */
export const restore = async (
  config: LogConfig,
  from: string,
  signal: AbortSignal,
): Promise<RestoreReport> => {
  const manifest = readManifest(from);
  const removeCreated = trackCreatedDirectories(config.dataDir);
  try {
    const directory = openDataDirectory(config.dataDir);
    assertNotFrozen(directory);
    return await restoreLocked({ from, manifest, directory, config }, signal, removeCreated);
  } catch (error) {
    if (await isFree(config.dataDir)) removeCreated();
    throw error;
  }
};

/** @param removeCreated called when the restore ends, unless another process has taken the lock */
const restoreLocked = (
  context: RestoreContext,
  signal: AbortSignal,
  removeCreated: () => void,
): Promise<RestoreReport> => {
  const { directory } = context;
  return withDataDirectoryLock(directory, (lost) => {
    const ended = AbortSignal.any([signal, lost]);
    return withScratch(directory, "restore", ended, (scratch) =>
      stageAndInstall(context, scratch).finally(() => directory.sweepScratch()),
    ).finally(() => {
      if (!lost.aborted) removeCreated();
    });
  });
};

/** False when another process uses the directory, or may use it. */
const isFree = async (dataDir: string): Promise<boolean> =>
  !existsSync(dataDir) || !(await isLocked(dataDir).catch(() => true));

interface RestoreContext {
  readonly from: string;
  readonly manifest: BackupManifest;
  readonly directory: DataDirectory;
  readonly config: LogConfig;
}

const stageAndInstall = async (
  { from, manifest, directory, config }: RestoreContext,
  { path, signal }: ScratchContext,
): Promise<RestoreReport> => {
  const copy = await stageBackup(from, manifest, path, directory, config);
  const behind = await assertBackupContinues(copy, config);
  const previous = directory.live();
  const reason = outdatedReason(copy.checkpoint) ?? null;
  if (signal.aborted) throw toInterruption(signal, directory);
  const install = () => installBackup(copy, directory);
  const { generation, tokenSecret } =
    copy.connections.size > 0 ? await withConnectionsLock(directory, install) : await install();
  const restoredConnections = [...copy.connections.keys()];
  const kept = connectionsOf(manifest.files).filter((name) => !copy.connections.has(name));
  return {
    generation: basename(generation),
    previous: previous === undefined ? null : basename(previous),
    sequence: copy.checkpoint.sequence,
    behind,
    journal: copy.journal !== undefined,
    tokenSecret,
    connections: { restored: restoredConnections, kept },
    isOutdated: reason !== null,
    outdatedReason: reason,
  };
};

const installBackup = async (copy: StagedBackup, directory: DataDirectory) => {
  // Revocations come before the model: an early one only ends a token, a missing one would revive it.
  await withOperatorState(directory, printError, (operator) => addBackupRows(copy, operator));
  // The secret comes before journal and model: a service that starts in between would create another one.
  const tokenSecret = installSecret(copy, directory);
  // The journal comes before the model: a log without a model is replayed, a model without its log diverges.
  installJournal(copy, directory);
  // Connections come after the journal: a gateway would publish to a new one.
  installConnections(copy, directory);
  const generation = directory.adoptScratch(copy.model);
  directory.swap(generation);
  directory.sweep();
  return { generation, tokenSecret };
};

const toInterruption = ({ reason }: AbortSignal, { path }: DataDirectory): unknown =>
  reason instanceof VitrineError
    ? reason
    : new VitrineError(
        "unanswered",
        `interrupted: ${path} is unchanged`,
        "run vitrine restore again",
      );

/** Output of `--json`. */
export interface RestoreReport {
  readonly generation: string;
  /** The generation that was live until now; null when none was. */
  readonly previous: string | null;
  /** Log sequence that the model includes. */
  readonly sequence: number;
  /** Later events of the log, applied when the service starts. */
  readonly behind: number;
  /** True when the journal was restored too. */
  readonly journal: boolean;
  readonly tokenSecret: SecretInstallation;
  /** Names of the connections that the directory has from the backup now, and of those that it had already. */
  readonly connections: {
    readonly restored: readonly string[];
    readonly kept: readonly string[];
  };
  /** True when the next start rebuilds the model. */
  readonly isOutdated: boolean;
  readonly outdatedReason: string | null;
}

const secretNotes: Readonly<Record<SecretInstallation, string | undefined>> = {
  restored: "with the secret that signs tokens: tokens issued before work again",
  kept: undefined,
  differs:
    "the data directory keeps its own token secret: tokens signed with the secret of the backup do not work here",
  none: undefined,
};

const showRestored = (report: RestoreReport, from: string): void => {
  const { generation, previous, sequence, behind, journal, tokenSecret, connections } = report;
  print(`restored ${from} as generation ${generation}, at sequence ${sequence}`);
  if (journal) print("with the journal");
  if (connections.restored.length > 0)
    print(`with the connections ${connections.restored.join(", ")}`);
  if (previous)
    print(`generation ${previous}, which was live, is kept: vitrine rollback goes back`);
  const secret = secretNotes[tokenSecret];
  if (secret) printError(secret);
  if (connections.kept.length > 0) {
    const names = connections.kept.join(", ");
    printError(`the data directory keeps its own inboxes of the connections ${names}`);
  }
  if (report.outdatedReason !== null) {
    printError(`${report.outdatedReason}: vitrine serve rebuilds the model from the event log`);
  } else if (behind > 0) {
    printError(`the log holds ${formatCount(behind, "later event")}: vitrine serve applies them`);
  }
};
