import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { isLocked, lockDirectory, type Release } from "../../../projector/integrity/lock.ts";
import { outdatedReason } from "../../../projector/projection-version.ts";
import { inScratch, type Workplace } from "../../../projector/rebuild/scratch.ts";
import { type Manifest, readManifest } from "../../../read-model/generations/backup-manifest.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../read-model/generations/data-directory.ts";
import type { CommandLine } from "../../define-command.ts";
import { mustFollow } from "../../model-directory.ts";
import { withOperatorState } from "../../operator-state.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { counted, print, printJson, say } from "../../terminal/output.ts";
import { rememberUnmade } from "./created-directories.ts";
import { placeJournal, placeSecret, type SecretPlaced } from "./install.ts";
import { addRowsOfBackup, bringCopy, mustContinue } from "./steps.ts";

export const describeRestore = (line: CommandLine): void => {
  line
    .command({
      usage: "restore",
      tells: "make a backup the live generation; the service must not run",
      settings: logSettings,
      examples: ["vitrine restore /backups/vitrine-2026-11-20 --data-dir ./data"],
    })
    .argument("<dir>", "a directory that vitrine backup made")
    .option("--json", "print one JSON object", false)
    .action(async (from: string, { json, ...flags }: Flags & { json: boolean }) => {
      const config = line.config(flags, logSettings);
      line.done(await interruptible((signal) => restore(config, from, { json }, signal)));
    });
};

/** What `--json` prints. */
export interface Restored {
  readonly generation: string;
  /** The generation that was live until now; null when none was. */
  readonly previous: string | null;
  /** Log sequence the model includes. */
  readonly sequence: number;
  /** Events of the log that came after it, applied when the service starts. */
  readonly behind: number;
  /** The journal was restored too. */
  readonly journal: boolean;
  readonly tokenSecret: SecretPlaced;
  /** Whether it is made anew at the next start. */
  readonly isOutdated: boolean;
  /** Why; null when it is not. */
  readonly outdatedReason: string | null;
}

/**
 * Verifies a backup and makes it the live generation. Everything is copied aside first and then put in place by
 * renames, in an order that leaves a directory that starts and answers wherever it is cut off.
 * @returns exit code
 * @throws VitrineError `usage`, `backup_damaged`; `data_dir` or `not_writable` when the directory cannot be used, `locked` when a projector runs,
 * `divergence` when the log is not the backup's or no longer continues it, `event_log` when it cannot be asked
 */
export const restore = async (
  config: LogConfig,
  from: string,
  { json }: { readonly json: boolean },
  signal: AbortSignal,
): Promise<number> => {
  const manifest = readManifest(from);
  const unmake = rememberUnmade(config.dataDir);
  const lost = new AbortController();
  let release: Release | undefined;
  try {
    const directory = openDataDirectory(config.dataDir);
    mustFollow(directory);
    release = await lockDirectory(directory.path, (error) => lost.abort(error));
    const ended = AbortSignal.any([signal, lost.signal]);
    const told = await inScratch(directory, "restore", ended, (place) =>
      putInPlace({ from, manifest, directory, config }, place),
    );
    if (json) printJson(told);
    else show(told, from);
    return 0;
  } finally {
    if (release ? !lost.signal.aborted : await isFree(config.dataDir)) unmake();
    await release?.().catch(() => undefined);
  }
};

/** False for a directory that another process works in, or may. */
const isFree = async (dataDir: string): Promise<boolean> =>
  !existsSync(dataDir) || !(await isLocked(dataDir).catch(() => true));

interface Restoring {
  readonly from: string;
  readonly manifest: Manifest;
  readonly directory: DataDirectory;
  readonly config: LogConfig;
}

const putInPlace = async (world: Restoring, place: Workplace): Promise<Restored> => {
  try {
    return await bringAndPlace(world, place);
  } finally {
    world.directory.sweepScratch();
  }
};

const bringAndPlace = async (
  { from, manifest, directory, config }: Restoring,
  { path, signal }: Workplace,
): Promise<Restored> => {
  const copy = await bringCopy(from, manifest, path, directory, config);
  const behind = await mustContinue(copy, config);
  const former = directory.live();
  const reason = outdatedReason(copy.checkpoint) ?? null;
  if (signal.aborted) throw endedBy(signal, directory);
  // Before the model answers: a revocation that is added too soon ends a token, and one that is missing brings it back.
  await withOperatorState(directory, say, (operator) => addRowsOfBackup(copy, operator));
  // Before anything a service could be started with: it would make another.
  const tokenSecret = placeSecret(copy, directory);
  // A log without a model is replayed; a model without its log would be a divergence.
  placeJournal(copy, directory);
  const generation = directory.admit(copy.model);
  directory.swap(generation);
  directory.sweep();
  return {
    generation: basename(generation),
    previous: former === undefined ? null : basename(former),
    sequence: copy.checkpoint.sequence,
    behind,
    journal: copy.journal !== undefined,
    tokenSecret,
    isOutdated: reason !== null,
    outdatedReason: reason,
  };
};

/** A lock that was lost says so itself. */
const endedBy = ({ reason }: AbortSignal, { path }: DataDirectory): unknown =>
  reason instanceof VitrineError
    ? reason
    : new VitrineError(
        "unanswered",
        `interrupted: ${path} is as it was`,
        "run vitrine restore again",
      );

const secretSaid: Readonly<Record<SecretPlaced, string | undefined>> = {
  restored: "with the secret that tokens are signed with: tokens that agents hold work again",
  kept: undefined,
  differs:
    "the data directory has another secret of tokens and keeps it: tokens made under the backup's one do not work here",
  none: undefined,
};

const show = (told: Restored, from: string): void => {
  const { generation, previous, sequence, behind, journal, tokenSecret } = told;
  print(`restored ${from} as generation ${generation}, at sequence ${sequence}`);
  if (journal) print("with the journal");
  if (previous)
    print(`generation ${previous}, which was live, is kept: vitrine rollback goes back`);
  const secret = secretSaid[tokenSecret];
  if (secret) say(secret);
  if (told.outdatedReason !== null) {
    say(`${told.outdatedReason}: vitrine serve makes the model anew from the event log`);
  } else if (behind > 0) {
    say(`${counted(behind, "event")} came after it: applied as soon as vitrine serve runs`);
  }
};
