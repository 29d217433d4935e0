import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { fsyncPath } from "../../platform/durable-fs.ts";
import { hasMembers, parseJson } from "../../platform/json-file.ts";
import type { BackupFile } from "./backup.ts";

/** Describes a backup in `manifest.json`, which is written last: a directory without it is no complete backup. */
export interface BackupManifest {
  readonly product: "vitrine";
  readonly layout: number;
  /** ISO 8601. */
  readonly made: string;
  readonly generation: string;
  readonly checkpoint: {
    readonly sequence: number;
    readonly identity: { readonly name: string; readonly created: string };
    /** ISO 8601; null before the first event. */
    readonly lastEventTime: string | null;
  };
  readonly projections: string;
  /** Sequences in the copy of the embedded journal; null when the model follows another log. */
  readonly journal: { readonly first: number; readonly last: number } | null;
  readonly files: readonly BackupFile[];
}

/** Paths in a backup: three LMDB directories, the directory of those of the connections, and a file. */
export const backupPaths = {
  model: "model",
  journal: "journal",
  operator: "operator",
  connections: "connections",
  tokenSecret: "token-secret",
} as const;

export const manifestFile = "manifest.json";
/**
 * In layout 1 the model contains the operator state; layout 3 has connections. Versions that know a layout of less state
 * only reject the later one, so that they do not lose that state.
 */
const layouts = { withoutOperator: 1, withoutConnections: 2, complete: 3 };
const readableLayouts: readonly number[] = Object.values(layouts);

/** Returns the earliest layout that has all files of a backup. */
export const layoutOf = (files: readonly BackupFile[]): number =>
  files.some(({ path }) => path.startsWith(`${backupPaths.connections}/`))
    ? layouts.complete
    : layouts.withoutConnections;

/** Writes the manifest, durable on return. */
export const writeManifest = (root: string, manifest: BackupManifest): void => {
  const path = join(root, manifestFile);
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  fsyncPath(path);
  fsyncPath(root);
};

/**
 * Reads the manifest of a backup.
 * @throws VitrineError `usage` when the directory holds no backup, `data_dir` for an unknown layout, `backup_damaged` when
 * the manifest cannot be parsed
 */
export const readManifest = (root: string): BackupManifest => {
  const manifest = parseManifest(root, readManifestText(root));
  if (manifest.product !== "vitrine") throw notABackup(root, "its manifest names another product");
  if (readableLayouts.includes(manifest.layout)) return manifest;
  throw new VitrineError(
    "data_dir",
    `the backup ${root} is laid out by another version of Vitrine (layout ${manifest.layout}, this one reads ${readableLayouts.join(", ")})`,
    "restore it with the version that made it",
  );
};

const readManifestText = (root: string): string => {
  try {
    return readFileSync(join(root, manifestFile), "utf8");
  } catch (cause) {
    const isAbsent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw notABackup(root, isAbsent ? `it holds no ${manifestFile}` : messageOf(cause), cause);
  }
};

const parseManifest = (root: string, text: string): BackupManifest => {
  const manifest = parseJson(text, isManifest);
  if (manifest) return manifest;
  throw new VitrineError(
    "backup_damaged",
    `the backup ${root} is damaged: its ${manifestFile} cannot be read`,
    "use another backup, or start without one: the service rebuilds the model from the event log",
  );
};

const isManifest = (value: unknown): value is BackupManifest =>
  hasMembers(value, { layout: "number", checkpoint: "object", files: "object" }) &&
  hasMembers(value.checkpoint, { sequence: "number" }) &&
  Array.isArray(value.files) &&
  value.files.every((file) =>
    hasMembers(file, { path: "string", bytes: "number", sha256: "string" }),
  );

const notABackup = (root: string, why: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "usage",
    `${root} is no backup: ${why}`,
    "name a directory that vitrine backup made",
    cause,
  );
