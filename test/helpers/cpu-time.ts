/**
 * Starts to count this process's own work, which a busy machine does not lengthen as it does the clock.
 * @returns tells the milliseconds of CPU time since
 */
export const cpuTime = (): (() => number) => {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
};
