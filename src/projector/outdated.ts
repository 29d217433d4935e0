import { projectionVersions } from "../../projections/index.ts";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/log.ts";
import { type Checkpoint, layout } from "../read-model/checkpoint.ts";
import type { Store } from "../read-model/store.ts";
import { tables } from "../read-model/tables.ts";
import type { Divergence } from "./check-log.ts";
import type { Generation } from "./generation.ts";

/** Other versions of the projections wrote it, or stored it in another form. */
export const isOutdated = ({ store }: Pick<Generation, "store">): boolean => {
  const written = store.get(tables.meta, "checkpoint");
  return written !== undefined && isOfOtherVersion(written);
};

/** The same of a model whose checkpoint this is. */
export const isOfOtherVersion = (written: Checkpoint): boolean =>
  written.projections !== projectionVersions || written.layout !== layout;

/**
 * For whoever reads the rows that events are folded into: other versions may have stored them in another form.
 * @throws VitrineError `data_dir`
 */
export const mustBeOfThisVersion = (store: Store): void => {
  if (!isOutdated({ store })) return;
  throw new VitrineError(
    "data_dir",
    `another version of Vitrine wrote ${store.directory}`,
    "start vitrine serve: it makes the model anew from the event log; ask again when that is done",
  );
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
