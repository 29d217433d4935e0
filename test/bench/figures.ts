/** A measured figure beside a named peer's of the same run. */
export interface Comparison {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly beside: { readonly name: string; readonly figure: number };
  /** `figure` in parts of the peer's. */
  readonly ratio: number;
}

/** What was measured in one run, per second and by name. */
export type Figures = ReadonlyMap<string, number>;

/** Measures something once; returns what it does per second. */
export type Measure = () => Promise<number>;

/** Told what is being done, in a line. */
export type Report = (line: string) => void;

/**
 * Medians of several rounds. A round measures everything once, so that a machine that slows down slows all of it.
 * The first round warms up and does not count.
 */
export const interleave = async (
  measures: Readonly<Record<string, Measure>>,
  rounds: number,
  report: Report,
): Promise<Figures> => {
  const taken = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const figure = await measure();
      report(`${round === 0 ? "warm-up" : `round ${round}`}: ${name} ${Math.round(figure)}/s`);
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), figure]);
    }
  }
  return new Map([...taken].map(([name, figures]) => [name, median(figures)]));
};

export const compare = (
  figures: Figures,
  unit: string,
  name: string,
  targetColumn: string,
): Comparison => {
  const [figure, beside] = [figureOf(figures, name), figureOf(figures, targetColumn)];
  return {
    name,
    figure,
    unit,
    beside: { name: targetColumn, figure: beside },
    ratio: figure / beside,
  };
};

/** Seconds of this process's CPU time that a piece of work takes: the machine may be busy with other things. */
export const cpuSeconds = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const before = process.cpuUsage();
  const made = await work();
  const { user, system } = process.cpuUsage(before);
  return [made, (user + system) / 1e6];
};

/** How much of something was done per second of CPU time while `work` ran. */
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

/** The figure that so many in a hundred do not exceed. */
export const percentile = (figures: readonly number[], percent: number): number => {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] as number;
};

const figureOf = (figures: Figures, name: string): number => {
  const figure = figures.get(name);
  if (figure === undefined) throw new Error(`${name} was not measured`);
  return figure;
};
