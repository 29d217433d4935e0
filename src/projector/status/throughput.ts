/** Measures the events per second over a sliding window of 5 s. */
export const trackRate = (now: () => number) => {
  const windowMs = 5_000;
  let samples: { readonly time: number; readonly events: number }[] = [];
  return {
    count(events: number) {
      const time = now();
      samples = [...samples.filter((sample) => time - sample.time < windowMs), { time, events }];
    },
    perSecond() {
      const recent = samples.filter((sample) => now() - sample.time < windowMs);
      return Math.round(recent.reduce((sum, { events }) => sum + events, 0) / (windowMs / 1000));
    },
  };
};

/** Estimates the seconds to the end of the log at a rate. @returns null at rate 0 */
export const estimateEta = (behind: number, perSecond: number): number | null => {
  if (behind === 0) return 0;
  return perSecond > 0 ? Math.ceil(behind / perSecond) : null;
};
