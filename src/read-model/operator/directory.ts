import { existsSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";

export const operatorDirectory = (dataDir: string): string => join(dataDir, "operator");

/** Returns true when the operator state exists, and thus is complete: it is created under a temporary name. */
export const hasOperatorState = (dataDir: string): boolean =>
  existsSync(operatorDirectory(dataDir));

/** @param how description of the damage for the message */
export const damagedOperatorState = (
  directory: string,
  how: string,
  cause?: unknown,
): VitrineError =>
  new VitrineError(
    "operator_state_damaged",
    `the operator state ${directory} is damaged: ${how}`,
    "it is the only copy of revocations that no event log contains any more, and of discarded dead letters: stop the service, move that directory away, and restore a backup; without one set another TOKEN_SECRET, as revoked tokens may work again",
    cause,
  );
