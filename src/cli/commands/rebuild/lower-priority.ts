import { constants, getPriority, setPriority } from "node:os";

const { PRIORITY_BELOW_NORMAL: below } = constants.priority;

/**
 * Lowers the priority of this process in favour of processes that answer requests.
 * It still gets a sixth of a busy core, so that it ends and reaches the end of a growing log, and all of an idle core.
 * A lower priority that was set before stays, because raising it needs a privilege.
 */
export const lowerPriority = (): void => {
  if (getPriority() < below) setPriority(below);
};
