/**
 * Milliseconds without a word, of processes that speak once a second: not counted on any more, and hanging; and of one that
 * was only just begun, on a machine that may have little time for it.
 */
const after = { silent: 10_000, hanging: 20_000, beginning: 60_000 };

/** Which processes have stopped speaking. */
export interface SilenceWatch {
  begun(name: string): void;
  spoke(name: string): void;
  /** It ended, or was never begun. */
  forget(name: string): void;
  isSilent(name: string): boolean;
  /** Those that will not speak again. To be asked once a second; each is told once, until it speaks. */
  hanging(): readonly string[];
}

/** @param now a clock in milliseconds that nobody sets */
export const watchSilence = (now: () => number): SilenceWatch => {
  const heard = new Map<string, { readonly at: number; readonly patience: number }>();
  /** They may stay for a while: the disk may be what they hang at, and then nothing ends them. */
  const given = new Set<string>();
  let asked = now();
  const hear = (name: string, patience: number): void =>
    void heard.set(name, { at: now(), patience });
  return {
    begun: (name) => hear(name, after.beginning),
    spoke(name) {
      hear(name, after.hanging);
      given.delete(name);
    },
    forget(name) {
      heard.delete(name);
      given.delete(name);
    },
    isSilent: (name) => given.has(name) || now() - (heard.get(name)?.at ?? now()) > after.silent,
    hanging() {
      const pause = now() - asked;
      asked = now();
      // Whoever asks stood still himself, as all processes of a machine may have.
      if (pause > after.silent) for (const [name, { patience }] of heard) hear(name, patience);
      const found = [...heard].flatMap(([name, { at, patience }]) =>
        now() - at > patience ? name : [],
      );
      for (const name of found) {
        heard.delete(name);
        given.add(name);
      }
      return found;
    },
  };
};
