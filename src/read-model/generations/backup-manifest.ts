import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { syncPath } from "../../platform/durable-fs.ts";
import type { BackupFile } from "./backup.ts";

/** What a backup says of itself, in `manifest.json`: written last, so a directory without one is none. */
export interface Manifest {
  readonly product: "vitrine";
  /** Version of the layout of backups. */
  readonly layout: number;
  /** ISO 8601. */
  readonly made: string;
  /** Name of the generation that was live. */
  readonly generation: string;
  readonly checkpoint: {
    readonly sequence: number;
    /** The log the model follows. */
    readonly identity: { readonly name: string; readonly created: string };
    /** ISO 8601; null before the first event. */
    readonly lastEventTime: string | null;
  };
  /** Versions of the projections that wrote the model. */
  readonly projections: string;
  /** The embedded journal, when the model follows that one. */
  readonly journal: { readonly first: number; readonly last: number } | null;
  readonly files: readonly BackupFile[];
}

/** Where things are in a backup; the directories are LMDB's. */
export const backupPaths = {
  model: "model",
  journal: "journal",
  operator: "operator",
  tokenSecret: "token-secret",
} as const;

const name = "manifest.json";
/** In the first layout the operator state is a part of the model: an earlier version would not find it beside that. */
export const backupLayout = 2;
const readable: readonly number[] = [1, backupLayout];

/** Durable on return. */
export const writeManifest = (root: string, manifest: Manifest): void => {
  const path = join(root, name);
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  syncPath(path);
  syncPath(root);
};

/**
 * @throws VitrineError `usage` when the directory holds no backup, `data_dir` when another version laid it out,
 * `backup_damaged` when its manifest cannot be read
 */
export const readManifest = (root: string): Manifest => {
  const manifest = parse(root, textOf(root));
  if (manifest.product !== "vitrine") throw notABackup(root, "it is none of Vitrine's");
  if (readable.includes(manifest.layout)) return manifest;
  throw new VitrineError(
    "data_dir",
    `the backup ${root} is laid out by another version of Vitrine (layout ${manifest.layout}, this one reads ${readable.join(" and ")})`,
    "restore it with the version that made it",
  );
};

const textOf = (root: string): string => {
  try {
    return readFileSync(join(root, name), "utf8");
  } catch (cause) {
    const absent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw notABackup(root, absent ? `it holds no ${name}` : messageOf(cause), cause);
  }
};

const parse = (root: string, text: string): Manifest => {
  try {
    const manifest: Manifest = JSON.parse(text);
    if (Array.isArray(manifest.files) && typeof manifest.checkpoint?.sequence === "number") {
      return manifest;
    }
  } catch {
    // Told below, as what is no manifest in any other way.
  }
  throw new VitrineError(
    "backup_damaged",
    `the backup ${root} is damaged: its ${name} cannot be read`,
    "take another backup; or start without one: the model is made again from the event log",
  );
};

const notABackup = (root: string, why: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "usage",
    `${root} is no backup: ${why}`,
    "name a directory that vitrine backup made",
    cause,
  );
