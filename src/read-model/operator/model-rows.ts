import { formerTables, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { digestOfLetter } from "./dead-letter-digest.ts";
import type { DiscardRow, OperatorRow, RevocationRow } from "./rows.ts";

/**
 * Reads the revocations and discards in a generation: those from its log and, in a generation of an earlier version, the
 * rows that the operator state holds now.
 * @param onDamage called with the error of each row or table that cannot be read; reading continues unless it throws
 */
export function* rowsOfModel(
  stored: Tables,
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
    if (content) yield revocationRow(label, content);
  }
  for (const label of tryRead(() => [...stored.keys(formerTables.withdrawn)]) ?? []) {
    const row = tryRead(() => stored.get(formerTables.withdrawn, label));
    if (row) yield revocationRow(label, row);
  }
  for (const sequence of tryRead(() => [...stored.keys(formerTables.discards)]) ?? []) {
    const row = tryRead(() => readDiscardRow(stored, sequence));
    if (row) yield row;
  }
}

export const revocationRow = (
  label: string,
  { generation, revoked }: Omit<RevocationRow, "kind" | "label">,
): RevocationRow => ({ kind: "revocation", label, generation, revoked });

const readDiscardRow = (stored: Tables, sequence: number): DiscardRow | undefined => {
  const log = stored.get(tables.meta, "checkpoint")?.identity.name;
  const discard = stored.get(formerTables.discards, sequence);
  const deadLetter = stored.get(tables.deadLetters, sequence);
  if (log === undefined || !discard || !deadLetter) return undefined;
  return { kind: "discard", log, sequence, time: discard.time, event: digestOfLetter(deadLetter) };
};
