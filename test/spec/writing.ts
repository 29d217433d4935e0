/** Ids of the products that the writing process never deletes. */
export const productsThere: readonly number[] = Array.from({ length: 30 }, (_, index) => index + 1);
