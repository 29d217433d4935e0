import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsyncPath } from "../../platform/durable-fs.ts";
import { hasMembers, parseJson } from "../../platform/json-file.ts";

/** Why a generation is flagged, from the least severe to the most severe. */
const flagKinds = [
  /** A process met unexpected data, or did not close the generation. */
  "unexpected",
  /** A signal ended a process that read the generation. */
  "reader-crash",
  /** A signal ended the projector that wrote the generation. */
  "writer-crash",
  /** The generation counts as damaged without a full read. */
  "corrupt",
] as const;

export type FlagKind = (typeof flagKinds)[number];

/** Requests a full read of a generation. */
export interface Flag {
  readonly kind: FlagKind;
  readonly reason: string;
}

const flagPath = (generation: string): string => join(generation, "suspect");

/**
 * Flags a generation for a full read; of several flags the most severe is retained. Any process may call it; without
 * write permission it does nothing. The flag is durable, because a power cut is one cause of damage.
 */
export const flagForCheck = (
  generation: string,
  reason: string,
  kind: FlagKind = "unexpected",
): void => {
  const current = readFlag(generation);
  if (current && flagKinds.indexOf(current.kind) >= flagKinds.indexOf(kind)) return;
  try {
    const flag: Flag = { kind, reason };
    writeFileSync(flagPath(generation), `${JSON.stringify(flag)}\n`, { flush: true });
    fsyncPath(generation);
  } catch {
    // The generation was moved to quarantine, or this process may not write in it.
  }
};

/** @returns undefined when the generation is not flagged */
export const readFlag = (generation: string): Flag | undefined => {
  try {
    const text = readFileSync(flagPath(generation), "utf8").trim();
    // A write that a power cut ended leaves other text.
    return parseJson(text, isFlag) ?? { kind: "reader-crash", reason: text };
  } catch {
    return undefined;
  }
};

const isFlag = (value: unknown): value is Flag =>
  hasMembers(value, { kind: "string", reason: "string" }) &&
  flagKinds.some((kind) => kind === value.kind);

export const clearFlag = (generation: string): void =>
  rmSync(flagPath(generation), { force: true });
