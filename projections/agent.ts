import type { EventOfType } from "../src/events/event.ts";
import type { AgentRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, stampOf } from "./field-group.ts";

/**
 * An agent's token generation. It never goes back, whatever an event says, and one that was revoked is not brought back by
 * being told again: a dead token stays dead.
 */
export const evolveAgent = (
  row: AgentRow | undefined,
  event: EventOfType<"agent.token.regenerated" | "agent.token.revoked">,
): Evolved<AgentRow> => {
  const { generation, revoked } = row?.content ?? { generation: 0, revoked: false };
  return evolveGroup(row, stampOf(event), {
    generation: Math.max(generation, event.data.generation),
    revoked:
      event.type === "agent.token.revoked" || (revoked && event.data.generation <= generation),
  });
};
