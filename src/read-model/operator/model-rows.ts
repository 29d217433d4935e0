import { legacyTables, tables } from "../schema/tables.ts";
import { type ReadTables, readCheckpoint } from "../store/store.ts";
import { computeDeadLetterDigest } from "./discards.ts";
import type { DiscardRow, OperatorRow, RevocationRow } from "./rows.ts";

/**
 * Reads the revocations and discards in a generation: those from its log and, in a generation of an earlier version, the
 * rows that the operator state holds now.
 * @param onDamage called with the error of each row or table that cannot be read; reading continues unless it throws
 */
export function* readModelRows(
  stored: ReadTables,
  onDamage: (error: unknown) => void = (error) => {
    throw error;
  },
): Generator<OperatorRow> {
  const tryRead = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      onDamage(error);
      return undefined;
    }
  };
  for (const label of tryRead(() => [...stored.keys(tables.agents)]) ?? []) {
    const content = tryRead(() => stored.get(tables.agents, label))?.content;
    if (content) yield toRevocationRow(label, content);
  }
  for (const label of tryRead(() => [...stored.keys(legacyTables.withdrawn)]) ?? []) {
    const row = tryRead(() => stored.get(legacyTables.withdrawn, label));
    if (row) yield toRevocationRow(label, row);
  }
  for (const sequence of tryRead(() => [...stored.keys(legacyTables.discards)]) ?? []) {
    const row = tryRead(() => readDiscardRow(stored, sequence));
    if (row) yield row;
  }
}

export const toRevocationRow = (
  label: string,
  { generation, revoked }: Omit<RevocationRow, "kind" | "label">,
): RevocationRow => ({ kind: "revocation", label, generation, revoked });

const readDiscardRow = (stored: ReadTables, sequence: number): DiscardRow | undefined => {
  const log = readCheckpoint(stored)?.identity.name;
  const discard = stored.get(legacyTables.discards, sequence);
  const deadLetter = stored.get(tables.deadLetters, sequence);
  if (log === undefined || !discard || !deadLetter) return undefined;
  return {
    kind: "discard",
    log,
    sequence,
    time: discard.time,
    event: computeDeadLetterDigest(deadLetter),
  };
};
