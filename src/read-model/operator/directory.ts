import { existsSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";

/** The directory of the operator state in a data directory. */
export const operatorDirectory = (dataDir: string): string => join(dataDir, "operator");

/** True once the operator state was made: it gets its name when it is whole. */
export const hasOperatorState = (dataDir: string): boolean =>
  existsSync(operatorDirectory(dataDir));

/** @param how what is wrong with it, in words */
export const damagedOperatorState = (
  directory: string,
  how: string,
  cause?: unknown,
): VitrineError =>
  new VitrineError(
    "operator_state_damaged",
    `the operator state ${directory} is damaged: ${how}`,
    "it is the only copy of revocations that no event log tells any more, and of discarded dead letters: stop the service, move that directory away, and restore a backup; without one set another TOKEN_SECRET, as revoked tokens may work again",
    cause,
  );
