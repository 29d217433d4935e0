import { basename, join } from "node:path";
import { VitrineError } from "../../../errors.ts";
import { createLogger } from "../../../log.ts";
import { sleep } from "../../../platform/async.ts";
import type { SwapResult } from "../../../projector/control/execute.ts";
import { isLocked } from "../../../projector/integrity/lock.ts";
import { excessiveLoss } from "../../../projector/rebuild/rebuild.ts";
import type { ScratchContext } from "../../../projector/rebuild/scratch.ts";
import { flagForCheck } from "../../../read-model/store/damage-flag.ts";
import { executeControlRequest } from "../../control-request.ts";
import { withDataDirectoryLock } from "../../data-directory-lock.ts";
import type { ModelDirectory } from "../../model-directory.ts";
import type { ControlConfig } from "../../shared-options.ts";
import type { CandidateBuild } from "./build-generation.ts";

/** Names of the generations, or the path of a quarantined one. */
export type PromotionResult =
  | SwapResult
  | { readonly generation: string; readonly damaged: string };

export const formatPromotion = (swapped: PromotionResult): string =>
  "previous" in swapped
    ? `generation ${swapped.generation} is live; vitrine rollback goes back to ${swapped.previous}`
    : `generation ${swapped.generation} is live; the damaged generation is kept in ${swapped.damaged}`;

/**
 * Makes the candidate the live generation.
 * @throws VitrineError `divergence` when too many products would be lost; and as `executeControlRequest`
 */
export const promoteCandidate = async (
  config: ControlConfig,
  model: ModelDirectory,
  { scratch, products, damage }: CandidateBuild,
  { acceptLoss }: { readonly acceptLoss: boolean },
): Promise<PromotionResult> => {
  const loss = excessiveLoss(products.before, products.after);
  if (loss !== undefined && !acceptLoss) {
    throw new VitrineError(
      "divergence",
      `${loss}, so the live generation stays`,
      "let the shop publish the missing products, or accept the loss: vitrine rebuild --accept-loss",
    );
  }
  scratch.announce.update({ phase: "swapping", at: 0, of: 0, bytes: 0 });
  if (!damage) return promoteViaProjector(config, scratch);
  if (!(await isLocked(model.directory.path))) return replaceCorrupt(model, scratch);
  const damaged = await quarantineViaProjector(model, damage.message, scratch.signal);
  const { generation } = await promoteViaProjector(config, scratch);
  return { generation, damaged };
};

const promoteViaProjector = (
  config: ControlConfig,
  { path, signal }: ScratchContext,
): Promise<SwapResult> => {
  const request = { kind: "adopt", scratch: path } as const;
  const log = createLogger("error", "rebuild");
  return executeControlRequest(request, { config, log, signal });
};

/** The projector polls every second, and may be reading the generation fully for another reason. */
const quarantineTimeoutMs = 60_000;
const pollIntervalMs = 50;

/**
 * Makes the running projector quarantine a damaged generation.
 * Only the projector may close it, and a control request would make the projector read it first. Until the candidate is
 * adopted, the previous generation answers, or none.
 * @returns path of the quarantined generation
 * @throws VitrineError `unanswered` when the projector does not act, or the signal aborts first
 */
const quarantineViaProjector = async (
  { directory, live }: ModelDirectory,
  damage: string,
  signal: AbortSignal,
): Promise<string> => {
  const deadline = performance.now() + quarantineTimeoutMs;
  while (directory.live() === live && performance.now() < deadline && !signal.aborted) {
    // Flags the generation repeatedly, because a check that began earlier may end later and clear the flag.
    flagForCheck(live, damage, "corrupt");
    await sleep(pollIntervalMs, signal);
  }
  if (directory.live() !== live) return join(directory.path, "quarantine", basename(live));
  throw new VitrineError(
    "unanswered",
    "the projector did not quarantine the damaged generation, so nothing was changed",
    "stop the service and try again, or restart the service, which quarantines the generation when it starts",
  );
};

/** Replaces a generation that cannot be opened safely. The lock excludes a process that has it open for writing. */
const replaceCorrupt = (
  { directory, live }: ModelDirectory,
  scratch: ScratchContext,
): Promise<PromotionResult> =>
  withDataDirectoryLock(directory, async () => {
    const generation = directory.adoptScratch(scratch.path);
    return {
      generation: basename(generation),
      damaged: directory.replaceDamaged(live, generation),
    };
  });
