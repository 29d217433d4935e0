import { researchInstructions, shopInstructions } from "../server-info.ts";
import { checkAvailability } from "./check-availability.ts";
import { createCheckoutLink } from "./create-checkout-link.ts";
import { fetchDocument } from "./fetch.ts";
import { getPolicies } from "./get-policies.ts";
import { getProduct } from "./get-product.ts";
import { getShippingOptions } from "./get-shipping-options.ts";
import { listCategories } from "./list-categories.ts";
import { type RegisteredTool, register } from "./registry.ts";
import { search } from "./search.ts";
import { searchProducts } from "./search-products.ts";

/** The tools of one endpoint, in the order of their list. */
export interface ToolSet {
  /** Text for the model that uses the tools. */
  readonly instructions: string;
  readonly register: () => readonly RegisteredTool[];
}

/** The seven tools of Specification §4.2, in the order of its table. */
export const shopTools: ToolSet = {
  instructions: shopInstructions,
  register: () => [
    register(searchProducts),
    register(getProduct),
    register(listCategories),
    register(checkAvailability),
    register(getShippingOptions),
    register(getPolicies),
    register(createCheckoutLink),
  ],
};

/** The two tools that research connectors require (Contract §5). */
export const researchTools: ToolSet = {
  instructions: researchInstructions,
  register: () => [register(search), register(fetchDocument)],
};
