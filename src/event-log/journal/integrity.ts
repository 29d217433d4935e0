import { existsSync, statSync } from "node:fs";
import { VitrineError } from "../../errors.ts";
import { readStats, statedFileBytes } from "../../lmdb/environment.ts";
import { probeUnlessMarked } from "../../lmdb/intact-marker.ts";
import { ownProgram } from "../../package-info.ts";
import {
  type ProbeOptions,
  type ProbeResult,
  runProbeProcess,
} from "../../platform/child-probe.ts";
import { assertJournalDirectory, corruptJournal, dataFile } from "./directory.ts";
import { decodeRecord } from "./format.ts";
import { closeTables, type Journal, openTables, readBounds, readIdentity } from "./tables.ts";

/**
 * Asserts that a journal is readable. It is never changed, because no other source could restore it.
 * @throws VitrineError `log_damaged`
 */
export const assertIntact = async (directory: string): Promise<void> => {
  if (!existsSync(dataFile(directory))) return;
  const reason = await probeUnlessMarked(directory, (onIntact) =>
    probeJournal(directory, "quick", { onIntact }),
  );
  if (reason !== undefined) throw corruptJournal(directory, reason);
};

/**
 * Checks a journal in a child process, because a corrupt one ends its reader.
 * @param depth `quick` reads the latest and the oldest records, `whole` reads all
 * @returns the defect; undefined when there is none
 */
export const probeJournal = async (
  directory: string,
  depth: ProbeDepth,
  options?: ProbeOptions,
): Promise<ProbeResult> => {
  const program = ownProgram("event-log/journal/integrity-process");
  const problem = await runProbeProcess(program, [directory, depth], options);
  return problem?.replace(corruptJournal(directory, "").message, "");
};

export type ProbeDepth = "quick" | "whole";

/** Records read from each end. */
const sampleSize = 64;

/** Reads a journal in this process. Corruption ends the process, or throws. */
export const readJournalFully = async (directory: string, depth: ProbeDepth): Promise<void> => {
  assertJournalDirectory(directory, true);
  const journal = openTables(directory, true);
  try {
    verifyJournal(journal, depth);
  } finally {
    await closeTables(journal);
  }
};

const verifyJournal = (journal: Journal, depth: ProbeDepth): void => {
  const { root } = journal.env;
  if (readStats(root).lastPageNumber <= lastInitialPage && hasOnlyJournalTables(journal)) return;
  readIdentity(journal);
  const { first, last } = readBounds(journal);
  const isShort = statSync(dataFile(journal.directory)).size < statedFileBytes(root);
  if (depth === "whole" || isShort) verifyRecords(journal, first, last);
  else {
    verifyRecords(journal, first, Math.min(last, first + sampleSize));
    verifyRecords(journal, Math.max(first, last - sampleSize), last);
  }
  for (const _ of journal.ids.getRange(depth === "whole" ? {} : { limit: sampleSize }));
};

/**
 * Last page of a journal whose creation was interrupted before it had an identity: two pages of LMDB, and the names
 * of its tables. The next process that opens it for writing completes it. A journal that ever stored more has more
 * pages.
 */
const lastInitialPage = 2;

/** Checks the table names, because an LMDB file of another program may be as small. */
const hasOnlyJournalTables = ({ env }: Journal): boolean =>
  [...env.root.getKeys()].every((name) => ["events", "ids", "meta"].includes(String(name)));

/** Verifies that every sequence has its record, because a journal has no holes, and checks each checksum. */
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
