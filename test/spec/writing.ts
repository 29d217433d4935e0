/** Ids of the products that are there throughout, whatever the writing process does. */
export const productsThere: readonly number[] = Array.from({ length: 30 }, (_, index) => index + 1);
