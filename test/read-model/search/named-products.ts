import { productUpserted } from "../../helpers/events.ts";
import type { TestModel } from "../../helpers/model.ts";

/** A product without texts that a query of a test could match by chance. */
export const bare = { descriptionHtml: null, reference: null };

/** Applies products with these names and the ids from 1. */
export const applyNames = (model: TestModel, ...names: readonly string[]): void => {
  model.apply(...names.map((name, at) => productUpserted({ ...bare, id: at + 1, name })));
};
