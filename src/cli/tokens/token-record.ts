import { evolveAgent } from "../../../projections/agent.ts";
import { isEventOf } from "../../../projections/entities.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { AgentRow } from "../../read-model/schema/rows.ts";

/** Row of a label after a record. */
interface FoldedTokenEvent {
  readonly label: string;
  readonly row: AgentRow;
}

/**
 * Folds a log record that no projector has applied.
 * @param currentRow reads the current row of a label
 * @returns undefined when the record does not change any token
 */
export const foldTokenEvent = (
  record: LogRecord,
  currentRow: (label: string) => AgentRow | undefined,
): FoldedTokenEvent | undefined => {
  const decoded = decode(record);
  if (!decoded.ok || !isEventOf("agent", decoded.event)) return undefined;
  const { label } = decoded.event.data;
  const evolved = evolveAgent(currentRow(label), decoded.event);
  return evolved.outcome === "applied" ? { label, row: evolved.row } : undefined;
};
