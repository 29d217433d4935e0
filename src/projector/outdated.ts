import { projectionVersions } from "../../projections/index.ts";
import type { EventLog } from "../event-log/log.ts";
import { layout } from "../read-model/checkpoint.ts";
import { tables } from "../read-model/tables.ts";
import type { Divergence } from "./check-log.ts";
import type { Generation } from "./generation.ts";

/** Other versions of the projections wrote it, or stored it in another form. */
export const isOutdated = ({ store }: Generation): boolean => {
  const written = store.get(tables.meta, "checkpoint");
  const isOwn = written?.projections === projectionVersions && written.layout === layout;
  return written !== undefined && !isOwn;
};

/**
 * What is said of such a generation: it is as good as one of another history, and is made anew only from all of it.
 * @throws `event_log` when the log cannot be reached
 */
export const mustBeMadeAnew = async (eventLog: EventLog): Promise<Divergence> => ({
  kind: "rewritten",
  reason: "the projections changed since the model was made",
  whole: (await eventLog.bounds()).whole,
});
