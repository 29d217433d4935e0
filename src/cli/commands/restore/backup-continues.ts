import { VitrineError } from "../../../errors.ts";
import { openJournal } from "../../../event-log/journal/index.ts";
import { closeAfter } from "../../../platform/async.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import { removeLockFile } from "../../../read-model/generations/backup.ts";
import { openLogToRead } from "../../event-log.ts";
import { assertModelFollowsLog } from "../../same-log.ts";
import type { LogConfig } from "../../shared-options.ts";
import type { StagedBackup } from "./stage-backup.ts";

/**
 * Asserts that the log of the service continues the model.
 * @returns how many events it holds past the checkpoint
 * @throws VitrineError `divergence` when it does not, `event_log` when it is unreachable
 */
export const assertBackupContinues = async (
  copy: StagedBackup,
  config: LogConfig,
): Promise<number> => {
  const { backup, checkpoint, journal } = copy;
  const eventLog = journal
    ? openJournal({ directory: journal, readOnly: true, now: Date.now })
    : await openLogToRead(config);
  return closeAfter(eventLog, async () => {
    await assertModelFollowsLog(
      checkpoint,
      eventLog,
      `${backup} is of another event log`,
      "name the log that the backup was made from with --events, or restore into another data directory",
    );
    const divergence = await findDivergence(checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the event log does not continue the backup: ${divergence.reason}`,
        "restore a newer backup, or none: vitrine serve builds the model from the event log",
      );
    }
    return (await eventLog.bounds()).last - checkpoint.sequence;
  }).finally(() => {
    if (journal) removeLockFile(journal);
  });
};
