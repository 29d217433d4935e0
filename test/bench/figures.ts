/** A measured figure, compared with a peer's figure of the same run. */
export interface Comparison extends Sample {
  readonly name: string;
  readonly unit: string;
  readonly peer: Sample & { readonly name: string };
  /** `figure` divided by the peer's figure. */
  readonly ratio: number;
}

/** A figure per second, and of requests what it was measured with. */
export interface Sample {
  readonly figure: number;
  readonly load?: Load | undefined;
}

/** What a load of requests took. */
export interface Load {
  /** Requests per second of the clock. */
  readonly perSecond: number;
  /** Processor time of a request in the process that answers, user and system, in microseconds. */
  readonly cpuMicros: number;
  /** Share of the time in which the server's core was not idle, 0 to 1. */
  readonly busy: number;
}

/** Below this share a figure says how fast the client was. */
export const minBusy = 0.9;

/** Samples of one run by name. */
export type Figures = ReadonlyMap<string, Sample>;

/** Measures once. */
export type Measure = () => Promise<number | Sample>;

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
  const results = new Map<string, Sample[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const measured = await measure();
      const sample = typeof measured === "number" ? { figure: measured } : measured;
      report(`${round === 0 ? "warm-up" : `round ${round}`}: ${name} ${describe(sample)}`);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), sample]);
    }
  }
  return new Map([...results].map(([name, samples]) => [name, medianSample(samples)]));
};

const describe = ({ figure, load }: Sample): string =>
  load
    ? `${Math.round(load.perSecond)}/s, ${Math.round(load.cpuMicros)} µs of CPU, core ${Math.round(load.busy * 100)} % busy`
    : `${Math.round(figure)}/s`;

const medianSample = (samples: readonly Sample[]): Sample => {
  const loads = samples.flatMap(({ load }) => load ?? []);
  const medianOf = (name: keyof Load): number => median(loads.map((load) => load[name]));
  return {
    figure: median(samples.map(({ figure }) => figure)),
    load:
      loads.length === 0
        ? undefined
        : {
            perSecond: medianOf("perSecond"),
            cpuMicros: medianOf("cpuMicros"),
            busy: medianOf("busy"),
          },
  };
};

export const compare = (
  figures: Figures,
  unit: string,
  name: string,
  peerName: string,
): Comparison => {
  const [own, peer] = [sampleOf(figures, name), sampleOf(figures, peerName)];
  const comparison = toComparison(name, unit, own.figure, { name: peerName, ...peer });
  return { ...comparison, load: own.load };
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

export const sampleOf = (figures: Figures, name: string): Sample => {
  const sample = figures.get(name);
  if (!sample) throw new Error(`${name} was not measured`);
  return sample;
};
