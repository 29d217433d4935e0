import { VitrineError } from "../../errors.ts";
import { findDivergence } from "../../projector/continuity/continuity.ts";
import { withEventLog } from "../event-log.ts";
import { assertModelFollowsLog } from "../same-log.ts";
import type { LogConfig } from "../shared-options.ts";
import { tokenStateInModel } from "./token-state.ts";

/**
 * Asserts that the service follows this log, because it never reads the events of another one.
 * Call it before a journal is created.
 * @throws VitrineError `divergence` for another log, `no_model` or `event_log` when there is none
 */
export const assertProjectorFollowsLog = async (
  config: LogConfig,
  label: string,
): Promise<void> => {
  const stored = await tokenStateInModel(config, label);
  if (!stored?.checkpoint) return;
  const { checkpoint } = stored;
  await withEventLog(config, async (eventLog) => {
    await assertModelFollowsLog(
      checkpoint,
      eventLog,
      "the service would not read the event",
      `name the log that it follows with --events (EVENTS); if that log was recreated, ${recoveryHint}`,
    );
    const divergence = await findDivergence(checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the service would not read the event: ${divergence.reason}`,
        recoveryHint,
      );
    }
  });
};

const recoveryHint =
  "start the service first, so that it follows the log; another TOKEN_SECRET and a restart end all tokens at once";
