import { formerTables, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { digestOfLetter } from "./dead-letter-digest.ts";
import type { DiscardRow, OperatorRow, RevocationRow } from "./rows.ts";

/**
 * Reads what a generation knows of revocations and discards: what its own log told, and, in one of an earlier version, the
 * rows that are part of the operator state now.
 * @param onDamage called for each row or table that cannot be read; the others are read all the same
 */
export function* rowsOfModel(
  stored: Tables,
  onDamage: (error: unknown) => void = (error) => {
    throw error;
  },
): Generator<OperatorRow> {
  const tried = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      onDamage(error);
      return undefined;
    }
  };
  for (const label of tried(() => [...stored.keys(tables.agents)]) ?? []) {
    const content = tried(() => stored.get(tables.agents, label))?.content;
    if (content) yield revocationRow(label, content);
  }
  for (const label of tried(() => [...stored.keys(formerTables.withdrawn)]) ?? []) {
    const row = tried(() => stored.get(formerTables.withdrawn, label));
    if (row) yield revocationRow(label, row);
  }
  for (const sequence of tried(() => [...stored.keys(formerTables.discards)]) ?? []) {
    const row = tried(() => discardRow(stored, sequence));
    if (row) yield row;
  }
}

export const revocationRow = (
  label: string,
  { generation, revoked }: Omit<RevocationRow, "kind" | "label">,
): RevocationRow => ({ kind: "revocation", label, generation, revoked });

const discardRow = (stored: Tables, sequence: number): DiscardRow | undefined => {
  const log = stored.get(tables.meta, "checkpoint")?.identity.name;
  const discard = stored.get(formerTables.discards, sequence);
  const letter = stored.get(tables.deadLetters, sequence);
  if (log === undefined || !discard || !letter) return undefined;
  return { kind: "discard", log, sequence, time: discard.time, event: digestOfLetter(letter) };
};
