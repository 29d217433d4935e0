import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../errors.ts";

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

/**
 * Marks an empty directory as a data directory; one that is marked already is left as it is.
 * @throws `data_dir` when it holds something else, or another layout
 */
export const mark = (root: string): void => {
  const content = readdirSync(root);
  if (!content.includes(marker)) {
    if (content.length > 0) {
      throw new VitrineError(
        "data_dir",
        `${root} is not empty and not a data directory of Vitrine`,
        "name a new or empty directory with --data-dir or DATA_DIR",
      );
    }
    write(root, { product: "vitrine", layout });
  }
  checkLayout(root);
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

const write = (root: string, content: Marker): void =>
  writeFileSync(join(root, marker), `${JSON.stringify(content)}\n`);
