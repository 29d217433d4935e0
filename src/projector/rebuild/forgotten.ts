import type { Logger } from "../../log.ts";
import type { Tables } from "../../read-model/store.ts";
import { tables } from "../../read-model/tables.ts";

/** Most labels that are named in the log. */
const mostNamed = 100;

/**
 * Says whose tokens were withdrawn in a former log and are not in this one: a withdrawal is an event like any other, and
 * nobody else would say that it is gone with its log.
 * @param former the generation of that log, @param built the one of this log
 */
export const tellForgotten = (log: Logger, former: Tables, built: Tables): void => {
  const labels = [...former.keys(tables.agents)].filter((label) =>
    isForgotten(label, former, built),
  );
  if (labels.length === 0) return;
  log.warn(
    { labels: labels.slice(0, mostNamed), count: labels.length },
    "tokens that were withdrawn in the former log may be used again: regenerate or revoke them",
  );
};

const isForgotten = (label: string, former: Tables, built: Tables): boolean => {
  const before = withdrawnIn(former, label);
  const now = withdrawnIn(built, label);
  const isLess = before.revoked && !now.revoked && before.generation === now.generation;
  return isLess || before.generation > now.generation;
};

const withdrawnIn = (stored: Tables, label: string) =>
  stored.get(tables.agents, label)?.content ?? { generation: 0, revoked: false };
