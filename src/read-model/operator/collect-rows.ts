import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { isOfTheMachine, lookFromOutside } from "../../platform/child-probe.ts";
import type { DataDirectory } from "../generations/data-directory.ts";
import { openStore } from "../store/store.ts";
import { rowsOfModel } from "./model-rows.ts";
import type { OperatorRow } from "./rows.ts";

/**
 * Reads what all generations of a data directory know of revocations and discards, those in quarantine among them.
 * @param place a directory for a file of rows
 * @param onLoss told of each generation that could not be read whole
 * @throws `not_writable` when one cannot be read for want of rights, memory or room
 */
export const rowsOfDirectory = async (
  directory: DataDirectory,
  place: string,
  onLoss: (message: string) => void,
): Promise<readonly OperatorRow[]> => {
  const aside = directory.quarantined().map((name) => join(directory.path, "quarantine", name));
  const rows: OperatorRow[] = [];
  for (const generation of [...directory.generations(), ...aside]) {
    if (!existsSync(join(generation, "data.mdb"))) continue;
    const { rows: found, damage } = await readApart(generation, join(place, "rows"));
    rows.push(...found);
    if (damage !== undefined) onLoss(lossOf(generation, damage));
  }
  return rows;
};

const lossOf = (generation: string, damage: string): string =>
  `generation ${basename(generation)} is damaged (${damage}): revocations and discards that it alone held may be lost, and tokens that were revoked may work again: revoke them again, or set another TOKEN_SECRET`;

interface ReadApart {
  readonly rows: readonly OperatorRow[];
  /** What is wrong with the file; undefined when nothing is. */
  readonly damage: string | undefined;
}

/** Reads a generation in a process of its own, because a damaged file may end that process: what it wrote by then counts. */
const readApart = async (generation: string, file: string): Promise<ReadApart> => {
  const program = ownProgram("read-model/operator/collect-rows-process");
  rmSync(file, { force: true });
  const damage = await lookFromOutside(program, [generation, file]);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  rmSync(file, { force: true });
  const isWhole = lines.at(-1) === lastLine;
  if (damage === undefined && !isWhole) throw notRead(generation);
  return { rows: lines.filter((line) => line !== lastLine).map(parsed), damage };
};

const parsed = (line: string): OperatorRow => JSON.parse(line);

const lastLine = "end";

const notRead = (generation: string): VitrineError =>
  new VitrineError(
    "not_writable",
    `what ${generation} knows of revoked tokens cannot be read`,
    "give this user the right to read it, and memory and room on the disk to do so",
  );

/**
 * The reading itself.
 * @param write called with each line of the file of rows
 * @throws the first damage that was met, when all else was read
 */
export const readRows = async (
  generation: string,
  write: (line: string) => void,
): Promise<void> => {
  const damages: unknown[] = [];
  const store = openStore(generation, { readOnly: true });
  try {
    for (const row of rowsOfModel(store, (error) => damages.push(error))) {
      write(JSON.stringify(row));
    }
  } finally {
    await store.close();
  }
  const ofTheMachine = damages.find(isOfTheMachine);
  if (ofTheMachine) throw ofTheMachine;
  write(lastLine);
  if (damages.length > 0) throw damages[0];
};
