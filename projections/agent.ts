import type { EventOfType } from "../src/events/event.ts";
import type { AgentRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/**
 * Folds token events into an agent's token generation.
 * Invariant: the generation never decreases, and a repeated event does not restore a revoked generation.
 */
export const evolveAgent = (
  row: AgentRow | undefined,
  event: EventOfType<"agent.token.regenerated" | "agent.token.revoked">,
): EvolveResult<AgentRow> => {
  const { generation, revoked } = row?.content ?? { generation: 0, revoked: false };
  return evolveFieldGroup(row, versionOf(event), {
    generation: Math.max(generation, event.data.generation),
    revoked:
      event.type === "agent.token.revoked" || (revoked && event.data.generation <= generation),
  });
};
