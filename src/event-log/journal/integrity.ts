import { existsSync, statSync } from "node:fs";
import { VitrineError } from "../../errors.ts";
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
  const program = import.meta.url.replace(/integrity(\.\w+)$/, "integrity-process$1");
  const problem = await lookFromOutside(program, [directory, depth], signal);
  return problem?.replace(damaged(directory, "").message, "");
};

export type Depth = "quick" | "whole";

/** Records read from each end. */
const sampleSize = 64;

/** The reading itself. What is damaged ends the process, or throws. */
export const readJournalThrough = async (directory: string, depth: Depth): Promise<void> => {
  checkDirectory(directory, true);
  const journal = openTables(directory, true);
  try {
    verifyJournal(journal, depth);
  } finally {
    await closeTables(journal);
  }
};

const verifyJournal = (journal: Journal, depth: Depth): void => {
  const { pageSize, lastPageNumber } = journal.env.root.getStats() as Stats;
  if (lastPageNumber <= lastInitialPage && hasOnlyJournalTables(journal)) return;
  identityOf(journal);
  const { first, last } = boundsOf(journal);
  const isShort = statSync(dataFile(journal.directory)).size < pageSize * (lastPageNumber + 1);
  if (depth === "whole" || isShort) verifyRecords(journal, first, last);
  else {
    verifyRecords(journal, first, Math.min(last, first + sampleSize));
    verifyRecords(journal, Math.max(first, last - sampleSize), last);
  }
  for (const _ of journal.ids.getRange(depth === "whole" ? {} : { limit: sampleSize }));
};

/**
 * Pages of a journal whose making was cut off before it had an identity: two of LMDB's own, and the names of its tables.
 * Whoever opens it for writing ends that. One that ever held more has more pages.
 */
const lastInitialPage = 2;

/** Another file of LMDB may be as small, and holds what no journal has. */
const hasOnlyJournalTables = ({ env }: Journal): boolean =>
  [...env.root.getKeys()].every((name) => ["events", "ids", "meta"].includes(String(name)));

interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/** A journal has no holes: each sequence must be there, and be what was written. */
const verifyRecords = ({ events }: Journal, from: number, to: number): void => {
  let next = from;
  for (const { key, value } of events.getRange({ start: from, end: to + 1 })) {
    if (key !== next || decodeRecord(key, value) === undefined) break;
    next += 1;
  }
  if (next <= to) {
    throw new VitrineError("log_damaged", `record ${next} is not what was written`);
  }
};
