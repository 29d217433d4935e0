import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { checkAvailability } from "../../../src/surfaces/mcp/tools/check-availability.ts";
import type { createCheckoutLink } from "../../../src/surfaces/mcp/tools/create-checkout-link.ts";
import { type ObjectSchema, readDefinition } from "../../../src/surfaces/mcp/tools/definition.ts";
import type { getPolicies } from "../../../src/surfaces/mcp/tools/get-policies.ts";
import type { getProduct } from "../../../src/surfaces/mcp/tools/get-product.ts";
import type { getShippingOptions } from "../../../src/surfaces/mcp/tools/get-shipping-options.ts";
import type { listCategories } from "../../../src/surfaces/mcp/tools/list-categories.ts";
import type { searchProducts } from "../../../src/surfaces/mcp/tools/search-products.ts";
import type { Tool } from "../../../src/surfaces/mcp/tools/tool.ts";
import type { ToolName } from "../../mcp/calls.ts";

const test = suite("arguments of the tools");

type ArgumentsOf<T> = T extends Tool<infer A> ? A : never;

/** Members of a type. The compiler compares the lists below with the types; the test compares them with the schemas. */
type Members<A> = {
  readonly [Name in keyof Required<A>]: Partial<Pick<A, Name>> extends Pick<A, Name>
    ? "optional"
    : "required";
};

const searchMembers: Members<ArgumentsOf<typeof searchProducts>> = {
  query: "optional",
  category_id: "optional",
  in_stock_only: "optional",
  sort: "optional",
  limit: "optional",
  offset: "optional",
  brand: "optional",
  price_min: "optional",
  price_max: "optional",
  reference: "optional",
  gtin: "optional",
  url: "optional",
  mpn: "optional",
  options: "optional",
  attributes: "optional",
  on_sale: "optional",
  condition: "optional",
  stock_status: "optional",
  min_rating: "optional",
  match_all: "optional",
  with_facets: "optional",
};
const productMembers: Members<ArgumentsOf<typeof getProduct>> = {
  product_id: "required",
  variant_limit: "optional",
  variant_offset: "optional",
};
const categoryMembers: Members<ArgumentsOf<typeof listCategories>> = {
  max_depth: "optional",
  only_stocked: "optional",
  parent_id: "optional",
  depth: "optional",
};
const availabilityMembers: Members<ArgumentsOf<typeof checkAvailability>> = {
  product_ids: "required",
  variant_ids: "optional",
};
const shippingMembers: Members<ArgumentsOf<typeof getShippingOptions>> = {
  country_code: "required",
};
const policyMembers: Members<ArgumentsOf<typeof getPolicies>> = { topic: "optional" };
const checkoutMembers: Members<ArgumentsOf<typeof createCheckoutLink>> = { items: "required" };
const itemMembers: Members<ArgumentsOf<typeof createCheckoutLink>["items"][number]> = {
  product_id: "required",
  variant_id: "optional",
  quantity: "optional",
};

const membersByTool: Readonly<Record<ToolName, object>> = {
  search_products: searchMembers,
  get_product: productMembers,
  list_categories: categoryMembers,
  check_availability: availabilityMembers,
  get_shipping_options: shippingMembers,
  get_policies: policyMembers,
  create_checkout_link: checkoutMembers,
};

const membersOf = ({ properties, required = [] }: ObjectSchema): object =>
  Object.fromEntries(
    Object.keys(properties).map((name) => [
      name,
      (required as readonly string[]).includes(name) ? "required" : "optional",
    ]),
  );

for (const [tool, members] of Object.entries(membersByTool)) {
  test(`${tool} reads the arguments of its input schema and no other`, () => {
    assert.equal(membersOf(readDefinition(tool).inputSchema), members);
  });
}

test("an item of create_checkout_link has the members of its schema and no other", () => {
  const { items } = readDefinition("create_checkout_link").inputSchema.properties as {
    readonly items: { readonly items: ObjectSchema };
  };
  assert.equal(membersOf(items.items), itemMembers);
});

test.run();
