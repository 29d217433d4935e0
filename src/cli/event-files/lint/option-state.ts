import type { ShopEvent } from "../../../events/event.ts";
import type { NameValue, OptionData, VariantData } from "../../../events/goods.ts";

/** The options that the events of one file state, by product. Events count in the sequence of the file. */
export interface OptionState {
  readonly products: ReadonlyMap<number, ProductOptions>;
  add(event: ShopEvent, line: number): void;
}

/** What is kept of a product with options or variants: names and values, and the choices of each variant. */
export interface ProductOptions {
  /** Of the last event that stated options or variants, and the path of them there. */
  line: number;
  field: string;
  declared: readonly DeclaredOption[];
  readonly variants: Map<number, VariantChoices>;
}

export interface DeclaredOption {
  readonly name: string;
  readonly values: readonly string[];
}

interface VariantChoices {
  readonly choices: readonly NameValue[];
  /** Whether an event of the variant stated it, so that it stays when the product has no list. */
  readonly isAlone: boolean;
}

/** Limits the names and values to some 50 MB of memory, because a file may be of any size. */
const maxTexts = 500_000;

export const createOptionState = (): OptionState => {
  const products = new Map<number, ProductOptions>();
  let texts = 0;
  let isFull = false;
  return {
    products,
    add(event, line) {
      const id = productOf(event);
      if (id === undefined) return;
      const product = products.get(id) ?? { line, field: "", declared: [], variants: new Map() };
      const before = products.has(id) ? countTexts(product) : 0;
      const field = applyEvent(product, event);
      if (field !== undefined) Object.assign(product, { line, field });
      // From the limit on, a product that changes is not checked, because its variants may be incomplete.
      const after = isFull ? 0 : countTexts(product);
      if (after > 0) products.set(id, product);
      else products.delete(id);
      texts += after - before;
      isFull ||= texts >= maxTexts;
    },
  };
};

const productOf = (event: ShopEvent): number | undefined => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched":
    case "shop.product.deleted":
      return event.data.id;
    case "shop.variant.upserted":
    case "shop.variant.deleted":
      return event.data.productId;
    default:
      return undefined;
  }
};

const countTexts = ({ declared, variants }: ProductOptions): number => {
  let count = 0;
  for (const { values } of declared) count += 1 + values.length;
  for (const { choices } of variants.values()) count += 1 + 2 * choices.length;
  return count;
};

/** Applies an event to the options of its product. @returns the path of the options that it states */
const applyEvent = (product: ProductOptions, event: ShopEvent): string | undefined => {
  const { variants } = product;
  switch (event.type) {
    case "shop.product.upserted":
      setDeclared(product, event.data.options ?? []);
      setList(variants, event.data.variants);
      return pathOf(event.data);
    case "shop.product.patched":
      if (event.data.options !== undefined) setDeclared(product, event.data.options ?? []);
      if (event.data.variants !== undefined) setList(variants, event.data.variants ?? []);
      return pathOf(event.data);
    case "shop.product.deleted":
      setDeclared(product, []);
      setList(variants, undefined);
      return undefined;
    case "shop.variant.upserted":
      variants.set(event.data.id, toChoices(event.data, true));
      return "data.options";
    case "shop.variant.deleted":
      variants.delete(event.data.id);
      return undefined;
    default:
      return undefined;
  }
};

const setDeclared = (product: ProductOptions, options: readonly OptionData[]): void => {
  product.declared = options.map(({ name, values }) => ({
    name,
    values: values.map((value) => (typeof value === "string" ? value : value.value)),
  }));
};

/** @param list ends all variants that were stated before it; undefined or null ends those of earlier lists */
const setList = (
  variants: ProductOptions["variants"],
  list: readonly VariantData[] | null | undefined,
): void => {
  for (const [id, { isAlone }] of variants) if (list || !isAlone) variants.delete(id);
  for (const variant of list ?? []) variants.set(variant.id, toChoices(variant, false));
};

const toChoices = (
  { options }: Pick<VariantData, "options">,
  isAlone: boolean,
): VariantChoices => ({
  choices: options ?? [],
  isAlone,
});

const pathOf = ({
  options,
  variants,
}: {
  readonly options?: unknown;
  readonly variants?: unknown;
}): string | undefined => (options ? "data.options" : variants ? "data.variants" : undefined);
