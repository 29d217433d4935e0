import { toNatsSubject } from "../../../events/envelope.ts";
import type { Generation } from "../../../projector/open-generation.ts";
import { type ReplayContext, readUpTo } from "../../../projector/rebuild/replay.ts";
import { toRevocationRow } from "../../../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../../../read-model/operator/rows.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import type { AgentRow } from "../../../read-model/schema/rows.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { foldTokenEvent } from "../../tokens/token-record.ts";

/**
 * Reads the tokens that events after a checkpoint revoked.
 * A revoked token stays revoked (Specification §5 rule 6), even in a directory of a time when it was valid.
 * @param checkpoint end of the generation
 * @throws `event_log`, `divergence` as the log does
 */
export const readLaterRevocations = async (
  context: ReplayContext,
  { store }: Generation,
  checkpoint: Checkpoint,
): Promise<readonly RevocationRow[]> => {
  const later = new Map<string, AgentRow>();
  const currentRow = (label: string) => later.get(label) ?? store.get(tables.agents, label);
  const from = { ...checkpoint, after: checkpoint.sequence };
  for await (const records of readUpTo(context, from, {})) {
    for (const record of records.filter(({ subject }) => subject.startsWith(agentSubjectPrefix))) {
      const folded = foldTokenEvent(record, currentRow);
      if (folded) later.set(folded.label, folded.row);
    }
  }
  return [...later].flatMap(([label, { content }]) =>
    content ? [toRevocationRow(label, content)] : [],
  );
};

const agentSubjectPrefix = toNatsSubject("agent/");
