import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import {
  type BackupManifest,
  backupPaths,
} from "../../../read-model/generations/backup-manifest.ts";
import type { CommandLine } from "../../define-command.ts";
import { openExistingDirectory } from "../../model-directory.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { formatCount, formatSize, print, printError, printJson } from "../../terminal/output.ts";
import { writeAtomically } from "./target.ts";
import { writeBackup } from "./write-backup.ts";

export const describeBackup = (line: CommandLine): void => {
  line
    .command({
      usage: "backup",
      description: "copy the live generation with its checkpoint, while the service runs",
      settings: logSettings,
      examples: ["vitrine backup /backups/vitrine-$(date +%F)"],
    })
    .argument("<dir>", "a new or empty directory")
    .option("--json", "print JSON", false)
    .action(async (target: string, { json, ...flags }: Flags & { json: boolean }) =>
      line.done(await backup(line.config(flags, logSettings), target, { json })),
    );
};

/** Output of `--json`. */
export interface BackupReport extends BackupManifest {
  readonly directory: string;
  readonly tokenSecret: boolean;
}

/**
 * Makes a hot backup: a snapshot of the model with its checkpoint, then the journal.
 * The journal is copied second, so that it is never behind the model. The directory appears at the end, complete and
 * durable.
 * @returns exit code
 * @throws VitrineError `usage` when the target cannot be used, `no_model` when there is nothing to back up
 */
export const backup = async (
  config: LogConfig,
  target: string,
  { json }: { readonly json: boolean },
): Promise<number> => {
  const directory = openExistingDirectory(config.dataDir);
  const live = directory?.live();
  if (!directory || live === undefined) throw nothingToBackUp(config.dataDir);
  const made = await writeAtomically(target, directory.path, (temporary) =>
    writeBackup(temporary, directory, live, config),
  );
  const tokenSecret = made.content.files.some(({ path }) => path === backupPaths.tokenSecret);
  const report: BackupReport = { directory: made.path, tokenSecret, ...made.content };
  if (json) printJson(report);
  else show(report);
  return 0;
};

const nothingToBackUp = (dataDir: string): VitrineError =>
  new VitrineError(
    "no_model",
    `${dataDir} holds no read model to back up`,
    "name the data directory of a service that has read its event log, with --data-dir",
  );

const show = ({ directory, generation, checkpoint, journal, files, tokenSecret }: BackupReport) => {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { sequence, identity } = checkpoint;
  print(
    `backed up generation ${generation} at sequence ${sequence} of ${identity.name} created ${identity.created} to ${directory}, ${formatSize(bytes)}`,
  );
  if (journal) {
    print(`with the journal: ${formatCount(journal.last - journal.first + 1, "event")}`);
  } else print(`the events stay where they are: back ${identity.name} up by its own means`);
  if (tokenSecret) {
    printError(
      "it holds the secret that tokens are signed with, readable by this user alone: keep it so",
    );
  }
};
