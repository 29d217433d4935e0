import fc from "fast-check";

/** What a model shop sends, in the sequence of the shop. */
export interface Sent {
  /** Whether something that is sent later mends its loss. */
  readonly isMended: boolean;
}

/** Random keys of `shuffle`. */
export const sequences = fc.array(fc.integer({ min: 0, max: 1_000 }), {
  minLength: 60,
  maxLength: 60,
});

/** Any sequence of what was sent, some of it twice, and some lost. */
export const shuffle = <T extends Sent>(
  sent: readonly T[],
  keys: readonly number[],
  loses: boolean,
): readonly T[] =>
  sent
    .flatMap((each, at) => {
      const key = keys[at % keys.length] ?? 0;
      if (loses && each.isMended && key % 5 === 0) return [];
      const first = { each, key: key % 97 };
      return key % 7 === 0 ? [first, { each, key: key % 89 }] : [first];
    })
    .sort((one, other) => one.key - other.key)
    .map(({ each }) => each);
