/**
 * Records that the data file of an environment was intact, so that the next process need not probe it again. The marker names
 * the exact state of the file: any later write, copy or replacement makes it void.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProbeResult } from "../platform/child-probe.ts";

/** File name of the marker in the environment's directory. */
export const intactMarkerName = "intact";

/**
 * Runs a probe, unless the marker says that the file was intact in its present state.
 * @param probe calls `onIntact` when it found no damage
 */
export const probeUnlessMarked = async (
  directory: string,
  probe: (onIntact: () => void) => Promise<ProbeResult>,
): Promise<ProbeResult> => {
  const state = readFileState(directory);
  if (state !== undefined && state === readMarker(directory)) return undefined;
  return probe(() => writeMarker(directory, state));
};

/** Marks an environment as intact. Its writer calls this after it closed the environment without having met damage. */
export const markIntact = (directory: string): void =>
  writeMarker(directory, readFileState(directory));

/**
 * Describes the state of the data file. The change time cannot be set by programs. The boot is part of the state, because a power
 * cut may damage a file and leave its times.
 */
const readFileState = (directory: string): string | undefined => {
  const stats = statSync(join(directory, "data.mdb"), { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino} ${stats.size} ${stats.ctimeNs} ${bootId()}\n`;
};

/** Identifies the boot of a Linux system; empty on other systems. */
const bootId = (): string => readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";

const readMarker = (directory: string): string | undefined =>
  readText(join(directory, intactMarkerName));

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const writeMarker = (directory: string, state: string | undefined): void => {
  if (state === undefined) return;
  try {
    writeFileSync(join(directory, intactMarkerName), state);
  } catch {
    // This process may not write there, or the disk is full. The next process probes the file.
  }
};
