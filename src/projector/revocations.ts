import { toRevocationRow } from "../read-model/operator/model-rows.ts";
import type { RevocationRow } from "../read-model/operator/rows.ts";
import type { UnitOfWork } from "./unit-of-work/unit-of-work.ts";

/** Builds the revocation rows of the agent labels that a batch changed. */
export const collectRevocations = ({
  agents,
}: Pick<UnitOfWork, "agents">): readonly RevocationRow[] =>
  [...agents.changedKeys()].flatMap((label) => {
    const content = agents.get(label)?.content;
    return content ? [toRevocationRow(label, content)] : [];
  });
