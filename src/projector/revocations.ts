import { revocationRow } from "../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../read-model/operator/rows.ts";
import type { Batch } from "./batch/unit-of-work.ts";

/** Reads which tokens are dead after a batch, of the labels that it is about. */
export const revocationsIn = ({ agents }: Pick<Batch, "agents">): readonly RevocationRow[] =>
  [...agents.changed()].flatMap((label) => {
    const content = agents.get(label)?.content;
    return content ? [revocationRow(label, content)] : [];
  });
