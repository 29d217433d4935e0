import { basename } from "node:path";
import type { Config } from "../../config.ts";
import { VitrineError } from "../../errors.ts";
import { createLogger } from "../../log.ts";
import { lockDirectory } from "../../projector/lock.ts";
import type { Swapped } from "../../projector/orders/execute.ts";
import { lossOf } from "../../projector/rebuild/loss.ts";
import type { Workplace } from "../../projector/rebuild/scratch.ts";
import { carryOut } from "../model/carry-out.ts";
import type { ModelDirectory } from "../model/model-directory.ts";
import type { BuiltThere } from "./build.ts";

/** Names of generations, and where a damaged one is kept. */
export type Outcome = Swapped | { readonly generation: string; readonly damaged: string };

/** For a person. */
export const outcomeOf = (swapped: Outcome): string =>
  "previous" in swapped
    ? `generation ${swapped.generation} is live; vitrine rollback goes back to ${swapped.previous}`
    : `generation ${swapped.generation} is live; the damaged generation is kept in ${swapped.damaged}`;

/**
 * Makes what was built the live generation.
 * @throws VitrineError `divergence` when too many products would go; as `carryOut`
 */
export const swapIn = async (
  config: Config,
  model: ModelDirectory,
  { place, products, damage }: BuiltThere,
  { acceptLoss }: { readonly acceptLoss: boolean },
): Promise<Outcome> => {
  const loss = lossOf(products.before, products.after);
  if (loss !== undefined && !acceptLoss) {
    throw new VitrineError(
      "divergence",
      `${loss}, so the live generation stays`,
      "have the shop publish what is missing, or take the log at its word: vitrine rebuild --accept-loss",
    );
  }
  place.announce.tell({ phase: "swapping", at: 0, of: 0, bytes: 0 });
  if (damage) return replaceDamaged(model, place);
  const order = { kind: "adopt", scratch: place.path } as const;
  const log = createLogger("error", "rebuild");
  return (await carryOut(order, { config, log, signal: place.signal })) as Swapped;
};

/** In place of a generation that cannot be opened without danger: nobody may have it open to write. */
const replaceDamaged = async (
  { directory, live }: ModelDirectory,
  place: Workplace,
): Promise<Outcome> => {
  const release = await lockDirectory(directory.path, () => undefined);
  try {
    const generation = directory.admit(place.path);
    return { generation: basename(generation), damaged: directory.supplant(live, generation) };
  } finally {
    await release().catch(() => undefined);
  }
};
