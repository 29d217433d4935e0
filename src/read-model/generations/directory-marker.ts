import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { entriesOf, syncPath } from "../../platform/durable-fs.ts";

/** The event a directory stands still at: `rebuild --until-…` made it, and nothing is applied to it any more. */
export interface Until {
  /** Log sequence of the last event it holds. */
  readonly sequence: number;
  /** ISO 8601: when the log took that event. */
  readonly time: string;
  /** The log it was read from. */
  readonly log: { readonly name: string; readonly created: string };
}

/** Why nothing is applied to such a directory, for status. */
export const frozenReason = ({ sequence, time }: Until): string =>
  `frozen: the shop as it stood at event ${sequence}, ${time}`;

interface Marker {
  readonly product: "vitrine";
  readonly layout: number;
  readonly until?: Until;
}

const marker = "vitrine.json";
const layout = 1;

/** A marker that is being written, or whose writer was killed. */
const unfinished = /^\.vitrine\.json\.\d+\.new$/;

/**
 * Marks an empty directory as a data directory; one that is marked already is left as it is.
 * @throws `data_dir` when it holds something else, or another layout
 */
export const mark = (root: string): void => {
  const content = entriesOf(root).filter((name) => !unfinished.test(name));
  if (!content.includes(marker)) {
    if (content.length > 0) {
      throw new VitrineError(
        "data_dir",
        `${root} is not empty and not a data directory of Vitrine`,
        "name a new or empty directory with --data-dir or DATA_DIR; where this is a volume, one inside it",
      );
    }
    write(root, { product: "vitrine", layout });
  }
  checkLayout(root);
};

/**
 * To be asked before anything is written: what root writes among another user's files, that user cannot read. He would
 * hang, or begin anew.
 * @throws `not_writable` for root in the directory of another user
 */
export const mustNotBeRootsGuest = (root: string): void => {
  const owner = statSync(join(root, marker), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.geteuid?.() !== 0 || owner === 0) return;
  throw new VitrineError(
    "not_writable",
    `${root} belongs to the user ${owner}, who could not read what root writes there`,
    "run the command as that user; deploy/runbook.md tells how with systemd",
  );
};

/** Says of a marked directory that it stands still from now on. */
export const markUntil = (root: string, until: Until): void =>
  write(root, { product: "vitrine", layout, until });

/** What a marked directory stands still at; undefined for one that follows a log. */
export const untilOf = (root: string): Until | undefined => read(root)?.until;

const checkLayout = (root: string): void => {
  const found = read(root)?.layout;
  if (found === layout) return;
  throw new VitrineError(
    "data_dir",
    `${root} is laid out by another version of Vitrine (layout ${found ?? "unknown"}, this one reads ${layout})`,
    "start the version that wrote it, or name another directory with --data-dir",
  );
};

const read = (root: string): Marker | undefined => {
  try {
    return JSON.parse(readFileSync(join(root, marker), "utf8"));
  } catch {
    return undefined;
  }
};

/** Seen whole or not at all, also after a power cut. */
const write = (root: string, content: Marker): void => {
  const fresh = join(root, `.${marker}.${process.pid}.new`);
  writeFileSync(fresh, `${JSON.stringify(content)}\n`, { flush: true });
  renameSync(fresh, join(root, marker));
  syncPath(root);
};
