import { chmodSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { listEntries } from "../../platform/durable-fs.ts";
import { hasMembers, readJson, writeFileAtomic } from "../../platform/json-file.ts";

/** The last event of a frozen directory: `rebuild --until-…` built it, and projectors apply no event to it. */
export interface FrozenAt {
  readonly sequence: number;
  /** ISO 8601: time at which the log stored the event. */
  readonly time: string;
  readonly log: { readonly name: string; readonly created: string };
}

/** Formats the reason that the status shows for a frozen directory. */
export const frozenReason = ({ sequence, time }: FrozenAt): string =>
  `frozen: the shop as it stood at event ${sequence}, ${time}`;

interface Marker {
  readonly product: "vitrine";
  readonly layout: number;
  readonly until?: FrozenAt;
}

const markerFile = "vitrine.json";
const directoryLayout = 1;

/** Matches temporary files of a marker that is being written or whose writer was killed. */
const temporaryMarker = /^\.vitrine\.json\.\d+\.new$/;

/**
 * Marks an empty directory as a data directory; an existing marker stays.
 * @throws `data_dir` when the directory has other content or another layout; `not_writable` when others may write in it
 */
export const claimDirectory = (root: string): void => {
  const content = listEntries(root).filter((name) => !temporaryMarker.test(name));
  const isClaimed = content.includes(markerFile);
  if (!isClaimed && content.length > 0) {
    throw new VitrineError(
      "data_dir",
      `${root} is not empty and not a data directory of Vitrine`,
      "name a new or empty directory with --data-dir or DATA_DIR; if this is a volume, name a directory inside it",
    );
  }
  excludeOthers(root, content);
  if (!isClaimed) writeMarker(root, { product: "vitrine", layout: directoryLayout });
  assertLayout(root);
};

/**
 * Asserts that no other user but root writes in the directory, because its files decide which tokens count. Removes the
 * access of others to an own directory, because volumes of containers may begin with it.
 */
const excludeOthers = (root: string, content: readonly string[]): void => {
  const { uid: owner, mode } = statSync(root);
  const user = process.geteuid?.() ?? owner;
  if (user !== owner && user !== 0) throw foreignFile(root, owner);
  if (content.length === 0) assertNotRootInForeignDirectory(root);
  if (user === owner && mode & 0o022) chmodSync(root, mode & 0o7700);
  for (const name of content) {
    const { uid = owner } = lstatSync(join(root, name), { throwIfNoEntry: false }) ?? {};
    if (uid !== owner && uid !== 0) throw foreignFile(join(root, name), uid);
  }
};

const foreignFile = (path: string, owner: number): VitrineError =>
  new VitrineError(
    "not_writable",
    `${path} belongs to the user ${owner}, who could decide what this service signs and shows`,
    "name a new directory with --data-dir or DATA_DIR, such as one inside a volume, or make this user the owner",
  );

/**
 * Asserts that root does not write in the data directory of another user. Call before writing: files created by root would
 * be unreadable to the service user, whose process would then hang or rebuild.
 * @throws `not_writable` when the process runs as root and another user owns the directory or its marker
 */
export const assertNotRootInForeignDirectory = (root: string): void => {
  const paths = [root, join(root, markerFile)];
  const owner = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.uid).find(Boolean);
  if (process.geteuid?.() !== 0 || owner === undefined) return;
  throw new VitrineError(
    "not_writable",
    `${root} belongs to the user ${owner}, who could not read what root writes there`,
    "run the command as that user; deploy/runbook.md shows how with systemd",
  );
};

export const markFrozen = (root: string, until: FrozenAt): void =>
  writeMarker(root, { product: "vitrine", layout: directoryLayout, until });

/**
 * Reads the event at which a data directory was frozen.
 * @returns undefined for a directory that follows a log
 */
export const readFrozenAt = (root: string): FrozenAt | undefined => readMarker(root)?.until;

const assertLayout = (root: string): void => {
  const layout = readMarker(root)?.layout;
  if (layout === directoryLayout) return;
  throw new VitrineError(
    "data_dir",
    `${root} is laid out by another version of Vitrine (layout ${layout ?? "unknown"}, this one reads ${directoryLayout})`,
    "start the version that wrote it, or name another directory with --data-dir",
  );
};

const readMarker = (root: string): Marker | undefined => readJson(join(root, markerFile), isMarker);

const isMarker = (value: unknown): value is Marker =>
  hasMembers(value, { product: "string", layout: "number" }) &&
  value.product === "vitrine" &&
  (!("until" in value) || isFrozenAt(value.until));

const isFrozenAt = (value: unknown): value is FrozenAt =>
  hasMembers(value, { sequence: "number", time: "string", log: "object" }) &&
  hasMembers(value.log, { name: "string", created: "string" });

const writeMarker = (root: string, marker: Marker): void =>
  writeFileAtomic(join(root, markerFile), `${JSON.stringify(marker)}\n`, { durable: true });
