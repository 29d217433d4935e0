/** Contract §2: maximum share of products that a rebuild may lose without an operator's consent. */
const maxLossShare = 0.2;

/** Describes an excessive loss of visible products. @returns undefined when the loss is acceptable */
export const excessiveLoss = (before: number, after: number): string | undefined =>
  after < before * (1 - maxLossShare)
    ? `a rebuild would leave ${after} of ${before} products`
    : undefined;
