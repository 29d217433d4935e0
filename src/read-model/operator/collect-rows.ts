import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { isEnvironmentError, runProbeProcess } from "../../platform/child-probe.ts";
import type { DataDirectory } from "../generations/data-directory.ts";
import { openStore } from "../store/store.ts";
import { readModelRows } from "./model-rows.ts";
import type { OperatorRow } from "./rows.ts";

/**
 * Reads the revocations and discards from all generations of a data directory, including those in quarantine.
 * @param scratch directory for a temporary file
 * @param onLoss called with a message for each generation that could not be read completely
 * @throws `not_writable` when permissions, memory or disk space do not suffice to read a generation
 */
export const collectOperatorRows = async (
  directory: DataDirectory,
  scratch: string,
  onLoss: (message: string) => void,
): Promise<readonly OperatorRow[]> => {
  const quarantined = directory
    .quarantined()
    .map((name) => join(directory.path, "quarantine", name));
  const rows: OperatorRow[] = [];
  for (const generation of [...directory.generations(), ...quarantined]) {
    if (!existsSync(join(generation, "data.mdb"))) continue;
    const result = await readInChildProcess(generation, join(scratch, "rows"));
    rows.push(...result.rows);
    if (result.damage !== undefined) onLoss(formatLoss(generation, result.damage));
  }
  return rows;
};

const formatLoss = (generation: string, damage: string): string =>
  `generation ${basename(generation)} is damaged (${damage}): revocations and discards that it alone held may be lost, and tokens that were revoked may work again: revoke them again, or set another TOKEN_SECRET`;

interface GenerationRows {
  readonly rows: readonly OperatorRow[];
  readonly damage: string | undefined;
}

/** Reads a generation in a child process, because a damaged file may crash it; the rows written before that are used. */
const readInChildProcess = async (generation: string, file: string): Promise<GenerationRows> => {
  const program = ownProgram("read-model/operator/collect-rows-process");
  rmSync(file, { force: true });
  const damage = await runProbeProcess(program, [generation, file]);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  rmSync(file, { force: true });
  const isComplete = lines.at(-1) === lastLine;
  if (damage === undefined && !isComplete) throw unreadableGeneration(generation);
  return { rows: lines.filter((line) => line !== lastLine).map(parseRow), damage };
};

const parseRow = (line: string): OperatorRow => JSON.parse(line);

const lastLine = "end";

const unreadableGeneration = (generation: string): VitrineError =>
  new VitrineError(
    "not_writable",
    `what ${generation} knows of revoked tokens cannot be read`,
    "give this user the right to read it, and memory and room on the disk to do so",
  );

/**
 * Reads the operator rows of a generation within the child process.
 * @param write called with each line of the output file, without its newline
 * @throws the first damage, after all readable rows were written
 */
export const exportOperatorRows = async (
  generation: string,
  write: (line: string) => void,
): Promise<void> => {
  const errors: unknown[] = [];
  const store = openStore(generation, { readOnly: true });
  try {
    for (const row of readModelRows(store, (error) => errors.push(error))) {
      write(JSON.stringify(row));
    }
  } finally {
    await store.close();
  }
  const environmentError = errors.find(isEnvironmentError);
  if (environmentError) throw environmentError;
  write(lastLine);
  if (errors.length > 0) throw errors[0];
};
