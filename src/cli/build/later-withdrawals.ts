import { natsSubject } from "../../events/envelope.ts";
import type { Generation } from "../../projector/generation.ts";
import { type ReplayWorld, readWithin } from "../../projector/rebuild/replay.ts";
import type { Checkpoint } from "../../read-model/checkpoint.ts";
import type { AgentRow } from "../../read-model/states.ts";
import { tables } from "../../read-model/tables.ts";
import { toldByRecord } from "../model/token-record.ts";

/**
 * Keeps in a generation that ends before its log which tokens were withdrawn since: a dead token stays dead (§5 rule 6)
 * where the shop is shown as it stood while it lived, too.
 * @param checkpoint where the generation ends
 * @throws `event_log`, `divergence` as the log does
 */
export const keepLaterWithdrawals = async (
  world: ReplayWorld,
  { store }: Generation,
  checkpoint: Checkpoint,
): Promise<void> => {
  const later = new Map<string, AgentRow>();
  const knownOf = (label: string) => later.get(label) ?? store.get(tables.agents, label);
  const from = { ...checkpoint, after: checkpoint.sequence };
  for await (const records of readWithin(world, from, {})) {
    for (const record of records.filter(({ subject }) => subject.startsWith(ofAgents))) {
      const told = toldByRecord(record, knownOf);
      if (told) later.set(told.label, told.row);
    }
  }
  store.transaction((stored) => {
    for (const [label, { content }] of later) {
      if (content) stored.put(tables.withdrawn, label, content);
    }
  });
};

const ofAgents = natsSubject("agent/");
