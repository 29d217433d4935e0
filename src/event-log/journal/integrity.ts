import { existsSync, statSync } from "node:fs";
import { VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { type Found, lookFromOutside } from "../../platform/child-probe.ts";
import { checkDirectory, damaged, dataFile } from "./directory.ts";
import { decodeRecord } from "./format.ts";
import { boundsOf, closeTables, identityOf, type Journal, openTables } from "./tables.ts";

/**
 * Makes sure that a journal can be read. It has no source it could be made anew from, so nothing is changed.
 * @throws VitrineError `log_damaged` when it is damaged
 */
export const mustBeSound = async (directory: string): Promise<void> => {
  if (!existsSync(dataFile(directory))) return;
  const reason = await probeJournal(directory, "quick");
  if (reason !== undefined) throw damaged(directory, reason);
};

/**
 * Whether a journal can be read, found out from outside: a damaged one ends whoever reads it.
 * @param depth `quick` reads the newest and the oldest records, `whole` reads all
 * @param signal ends the reading; nothing is found then
 * @returns what is wrong with it; undefined when nothing is
 */
export const probeJournal = async (
  directory: string,
  depth: Depth,
  signal?: AbortSignal,
): Promise<Found> => {
  const program = ownProgram("event-log/journal/integrity-process");
  const found = await lookFromOutside(program, [directory, depth], signal);
  return found?.replace(damaged(directory, "").message, "");
};

export type Depth = "quick" | "whole";

/** Records read from each end. */
const sample = 64;

/** The reading itself. What is damaged ends the process, or throws. */
export const readJournalThrough = async (directory: string, depth: Depth): Promise<void> => {
  checkDirectory(directory, true);
  const journal = openTables(directory, true);
  try {
    readThrough(journal, depth);
  } finally {
    await closeTables(journal);
  }
};

const readThrough = (journal: Journal, depth: Depth): void => {
  const { pageSize, lastPageNumber } = journal.env.root.getStats() as Stats;
  if (lastPageNumber <= lastOfBegun && holdsNoOther(journal)) return;
  identityOf(journal);
  const { first, last } = boundsOf(journal);
  const isShort = statSync(dataFile(journal.directory)).size < pageSize * (lastPageNumber + 1);
  if (depth === "whole" || isShort) read(journal, first, last);
  else {
    read(journal, first, Math.min(last, first + sample));
    read(journal, Math.max(first, last - sample), last);
  }
  for (const _ of journal.ids.getRange(depth === "whole" ? {} : { limit: sample }));
};

/**
 * Pages of a journal whose making was cut off before it had an identity: two of LMDB's own, and the names of its tables.
 * Whoever opens it for writing ends that. One that ever held more has more pages.
 */
const lastOfBegun = 2;

/** Another file of LMDB may be as small, and holds what no journal has. */
const holdsNoOther = ({ env }: Journal): boolean =>
  [...env.root.getKeys()].every((name) => ["events", "ids", "meta"].includes(String(name)));

interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/** A journal has no holes: each sequence must be there, and be what was written. */
const read = ({ events }: Journal, from: number, to: number): void => {
  let next = from;
  for (const { key, value } of events.getRange({ start: from, end: to + 1 })) {
    if (key !== next || decodeRecord(key, value) === undefined) break;
    next += 1;
  }
  if (next <= to) {
    throw new VitrineError("log_damaged", `record ${next} is not what was written`);
  }
};
