/** A measured figure, compared with a peer's figure of the same run. */
export interface Comparison {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly peer: { readonly name: string; readonly figure: number };
  /** `figure` divided by the peer's figure. */
  readonly ratio: number;
}

/** Figures of one run, per second, by name. */
export type Figures = ReadonlyMap<string, number>;

/** Measures once and returns a figure per second. */
export type Measure = () => Promise<number>;

/** Receives a line of progress. */
export type Report = (line: string) => void;

/**
 * Measures in rounds and returns medians. Each round runs every measure once, so that a slow phase of the machine
 * affects all of them. The first round warms up and is not counted.
 */
export const interleave = async (
  measures: Readonly<Record<string, Measure>>,
  rounds: number,
  report: Report,
): Promise<Figures> => {
  const results = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const figure = await measure();
      report(`${round === 0 ? "warm-up" : `round ${round}`}: ${name} ${Math.round(figure)}/s`);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), figure]);
    }
  }
  return new Map([...results].map(([name, figures]) => [name, median(figures)]));
};

export const compare = (
  figures: Figures,
  unit: string,
  name: string,
  peerName: string,
): Comparison => {
  const peer = { name: peerName, figure: getFigure(figures, peerName) };
  return toComparison(name, unit, getFigure(figures, name), peer);
};

export const toComparison = (
  name: string,
  unit: string,
  figure: number,
  peer: Comparison["peer"],
): Comparison => ({ name, figure, unit, peer, ratio: figure / peer.figure });

/** Runs work and measures the CPU seconds of this process, which other load on the machine does not change much. */
export const cpuSeconds = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
};

/** Runs work on `count` items and returns the items per second of CPU time. */
export const perCpuSecond = async (count: number, work: () => Promise<void>): Promise<number> => {
  const [, seconds] = await cpuSeconds(work);
  return count / seconds;
};

export const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] as number)) / 2;
};

/** Returns the figure that `percent` percent of the figures do not exceed. */
export const percentile = (figures: readonly number[], percent: number): number => {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] as number;
};

const getFigure = (figures: Figures, name: string): number => {
  const figure = figures.get(name);
  if (figure === undefined) throw new Error(`${name} was not measured`);
  return figure;
};
