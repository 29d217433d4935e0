/** Events per second over the last few seconds. */
export const trackRate = (now: () => number) => {
  const window = 5_000;
  let marks: { readonly at: number; readonly events: number }[] = [];
  return {
    count(events: number) {
      const at = now();
      marks = [...marks.filter((mark) => at - mark.at < window), { at, events }];
    },
    perSecond() {
      const recent = marks.filter((mark) => now() - mark.at < window);
      return Math.round(recent.reduce((sum, { events }) => sum + events, 0) / (window / 1000));
    },
  };
};

/** Seconds for what is left at a rate; null while it cannot be told. */
export const etaOf = (behind: number, perSecond: number): number | null => {
  if (behind === 0) return 0;
  return perSecond > 0 ? Math.ceil(behind / perSecond) : null;
};
