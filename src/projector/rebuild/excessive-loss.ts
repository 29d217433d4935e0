/** The share of products a rebuild may lose before an operator has to look at it (contract section 2). */
const largestLoss = 0.2;

/**
 * What speaks against swapping to a model with fewer visible products; undefined when nothing does.
 */
export const lossOf = (before: number, after: number): string | undefined =>
  after < before * (1 - largestLoss)
    ? `a rebuild would leave ${after} of ${before} products`
    : undefined;
