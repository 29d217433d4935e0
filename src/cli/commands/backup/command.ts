import {
  type BackupManifest,
  backupPaths,
} from "../../../read-model/generations/backup-manifest.ts";
import { argument, json, text } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { noModel, openExistingDirectory } from "../../model-directory.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { formatCount, formatSize, print, printError } from "../../terminal/output.ts";
import { connectionsOf } from "./copy-connections.ts";
import { writeAtomically } from "./target.ts";
import { writeBackup } from "./write-backup.ts";

export const backupCommand = defineCommand({
  settings: logSettings,
  argument: argument("<dir>", "a new or empty directory", text),
  options: { json },
  examples: ["vitrine backup /backups/vitrine-$(date +%F)"],
  run: ({ config, argument: target }) => backup(config, target),
});

/** Output of `--json`. */
export interface BackupReport extends BackupManifest {
  readonly directory: string;
  readonly tokenSecret: boolean;
  /** Names of the connections whose inboxes and states the backup has. */
  readonly connections: readonly string[];
}

/**
 * Makes a hot backup: a snapshot of the model with its checkpoint, the connections, then the journal.
 * The journal is copied after both, so that it is never behind them. The directory appears at the end, complete and
 * durable.
 * @throws VitrineError `usage` when the target cannot be used, `no_model` when there is nothing to back up
 */
const backup = async (config: LogConfig, target: string): Promise<Report> => {
  const directory = openExistingDirectory(config.dataDir);
  const live = directory?.live();
  if (!directory || live === undefined) throw noModel(config.dataDir);
  const { path, content } = await writeAtomically(target, directory.path, (temporary) =>
    writeBackup(temporary, directory, live, config),
  );
  const tokenSecret = content.files.some((file) => file.path === backupPaths.tokenSecret);
  const connections = connectionsOf(content.files);
  const report: BackupReport = { directory: path, tokenSecret, connections, ...content };
  return { json: report, show: () => show(report) };
};

const show = (report: BackupReport): void => {
  const { directory, generation, checkpoint, journal, files, tokenSecret, connections } = report;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { sequence, identity } = checkpoint;
  print(
    `backed up generation ${generation} at sequence ${sequence} of ${identity.name} created ${identity.created} to ${directory}, ${formatSize(bytes)}`,
  );
  if (journal) {
    print(`with the journal: ${formatCount(journal.last - journal.first + 1, "event")}`);
  } else print(`without the events: back up ${identity.name} with the tools of its broker`);
  if (connections.length > 0) print(`with the connections ${connections.join(", ")}`);
  if (tokenSecret) {
    printError(
      "the backup contains the secret that signs tokens; keep it readable by this user alone",
    );
  }
};
