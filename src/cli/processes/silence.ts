/** Milliseconds without a word, of processes that speak once a second: not counted on any more, and hanging. */
const after = { silent: 10_000, hanging: 20_000 };

/** Which processes have stopped speaking. */
export interface SilenceWatch {
  spoke(name: string): void;
  /** It ended, or was never begun. */
  forget(name: string): void;
  isSilent(name: string): boolean;
  /** Those that will not speak again. To be asked once a second; each is told once, until it speaks. */
  hanging(): readonly string[];
}

/** @param now a clock in milliseconds that nobody sets */
export const watchSilence = (now: () => number): SilenceWatch => {
  const heard = new Map<string, number>();
  /** They may stay for a while: the disk may be what they hang at, and then nothing ends them. */
  const given = new Set<string>();
  let asked = now();
  return {
    spoke(name) {
      heard.set(name, now());
      given.delete(name);
    },
    forget(name) {
      heard.delete(name);
      given.delete(name);
    },
    isSilent: (name) => given.has(name) || now() - (heard.get(name) ?? now()) > after.silent,
    hanging() {
      const pause = now() - asked;
      asked = now();
      // Whoever asks stood still himself, as all processes of a machine may have.
      if (pause > after.silent) for (const name of heard.keys()) heard.set(name, now());
      const found = [...heard].flatMap(([name, at]) => (now() - at > after.hanging ? name : []));
      for (const name of found) {
        heard.delete(name);
        given.add(name);
      }
      return found;
    },
  };
};
