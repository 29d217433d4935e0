/**
 * Starts to measure the CPU time of this process, because other load on the machine lengthens wall-clock
 * time.
 * @returns a function that returns the CPU time since the call, in ms
 */
export const cpuTime = (): (() => number) => {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
};
