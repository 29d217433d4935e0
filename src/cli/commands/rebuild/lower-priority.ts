import { constants, getPriority, setPriority } from "node:os";

const { PRIORITY_BELOW_NORMAL: below } = constants.priority;

/**
 * Has this process leave the processor to those that answer meanwhile. It keeps a sixth of a core that they want, so
 * that it comes to an end, and reaches that of a log that grows, however busy they are; and all of one that is free.
 * A process that gives way further already stays so: to take some back needs a right.
 */
export const giveWay = (): void => {
  if (getPriority() < below) setPriority(below);
};
