import { revocationRow } from "../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../read-model/operator/rows.ts";
import type { Batch } from "./batch/unit-of-work.ts";

/** Builds the revocation rows of the agent labels that a batch changed. */
export const revocationsIn = ({ agents }: Pick<Batch, "agents">): readonly RevocationRow[] =>
  [...agents.changed()].flatMap((label) => {
    const content = agents.get(label)?.content;
    return content ? [revocationRow(label, content)] : [];
  });
