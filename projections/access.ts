import type { EventOfType } from "../src/events/event.ts";
import type { AgentRow } from "../src/read-model/states.ts";
import { type Evolved, evolveGroup, stampOf } from "./group.ts";

/** An agent's token generation. It never goes back, whatever an event says: a dead token stays dead. */
export const evolveAgent = (
  row: AgentRow | undefined,
  event: EventOfType<"agent.token.regenerated" | "agent.token.revoked">,
): Evolved<AgentRow> =>
  evolveGroup(row, stampOf(event), {
    generation: Math.max(row?.content?.generation ?? 0, event.data.generation),
    revoked: event.type === "agent.token.revoked",
  });
