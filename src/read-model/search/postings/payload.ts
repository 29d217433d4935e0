/**
 * 22 bits about a term in a product: its impact, 1 to 127, its first position in the product's name, and how the name spells
 * it there. A payload follows from the product alone, never from the rest of the catalogue.
 */
export type Payload = number;

/** Number of payloads, for arrays with a value of each. */
export const payloadCount = 1 << 22;

/** Payload in a list that records only membership. */
export const presencePayload: Payload = 1;

/**
 * Encodes a payload.
 * @param position of the term in the name, from 1; positions past 15 are not stored
 * @param nameLength terms of the name, from 1
 * @param spelling mark of the spelling in the name, 7 bits, see `markSpelling`
 */
export const encodePayload = (
  impact: number,
  position = 0,
  nameLength = 0,
  spelling = 0,
): Payload =>
  position === 0 || position > 15
    ? impact
    : impact | (position << 7) | (Math.min(nameLength, 15) << 11) | (spelling << 15);

export const impactOf = (payload: Payload): number => payload & 127;
/** Decodes the position of a term in the name, from 1; 0 when it is not in the name. */
export const namePosition = (payload: Payload): number => (payload >> 7) & 15;
/** Decodes the number of terms in the name, 15 for more. Valid only where the position is not 0. */
export const nameLengthOf = (payload: Payload): number => (payload >> 11) & 15;
/** Decodes the mark of the spelling in the name. Valid only where the position is not 0. */
export const spellingOf = (payload: Payload): number => payload >> 15;

/** Selects or computes the payload of a product that is in two sources. */
export type Combine = (one: Payload, other: Payload) => Payload;

/**
 * Selects the payload with the higher impact, of equal ones the greater payload. So the sequence of arguments makes
 * no difference.
 */
export const higherImpact: Combine = (one, other) => {
  const difference = impactOf(one) - impactOf(other);
  return difference > 0 || (difference === 0 && one > other) ? one : other;
};
