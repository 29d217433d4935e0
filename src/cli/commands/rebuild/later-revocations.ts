import { natsSubject } from "../../../events/envelope.ts";
import type { Generation } from "../../../projector/open-generation.ts";
import { type ReplayWorld, readWithin } from "../../../projector/rebuild/replay.ts";
import { revocationRow } from "../../../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../../../read-model/operator/rows.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import type { AgentRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { toldByRecord } from "../../tokens/token-record.ts";

/**
 * Reads the tokens that events after a checkpoint revoked.
 * A revoked token stays revoked (Specification §5 rule 6), even in a directory of a time when it was valid.
 * @param checkpoint end of the generation
 * @throws `event_log`, `divergence` as the log does
 */
export const laterRevocations = async (
  world: ReplayWorld,
  { store }: Generation,
  checkpoint: Checkpoint,
): Promise<readonly RevocationRow[]> => {
  const later = new Map<string, AgentRow>();
  const knownOf = (label: string) => later.get(label) ?? store.get(tables.agents, label);
  const from = { ...checkpoint, after: checkpoint.sequence };
  for await (const records of readWithin(world, from, {})) {
    for (const record of records.filter(({ subject }) => subject.startsWith(ofAgents))) {
      const told = toldByRecord(record, knownOf);
      if (told) later.set(told.label, told.row);
    }
  }
  return [...later].flatMap(([label, { content }]) =>
    content ? [revocationRow(label, content)] : [],
  );
};

const ofAgents = natsSubject("agent/");
