import {
  evaluateOption,
  findOption,
  hasSelection,
  resolveSelection,
} from "../../offers/option-selection.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Variants } from "../../read-model/reader/variants.ts";
import { findLines, listLines } from "../entry/lines.ts";
import { omitEmpty } from "../mcp/offer-answer.ts";
import { readFilters } from "./filters.ts";
import { createFilterTest, readNamed } from "./lookup.ts";
import { listDisclosures, listLineMessages } from "./messages.ts";
import { toOptionValue, toUcpProduct } from "./product-answer.ts";
import type { ProductRequest } from "./request.ts";
import { listPolicies } from "./shop-answer.ts";
import { notFoundOutcome, toEnvelope, type UcpView } from "./view.ts";

const maxVariants = 100;

/** Answers one product with the variants that meet a selection of options (Contract §12). */
export const answerProduct = (view: UcpView, request: ProductRequest): object => {
  const { snapshot } = view;
  const nothing = () => notFoundOutcome(view, `Product not found: ${request.id}`);
  const named = readNamed(snapshot, request.id);
  if (!named) return nothing();
  const { product, variant } = named;
  if (variant !== undefined && !product.variants?.find(variant)) return nothing();
  const { filters, messages } = readFilters(view, request);
  const selected = product.variants && select(product, product.variants, variant, request);
  const meets = createFilterTest(snapshot, [product.id], filters);
  const found = selected
    ? findLines(product, selected.ids, selected.ids.length, variant)
    : listLines(product);
  const lines = found.filter(meets).slice(0, maxVariants);
  if (lines.length === 0) return nothing();
  const path = "$.product";
  const options = selected && describeOptions(product, product.variants, selected.pairs);
  return {
    ucp: toEnvelope(view),
    product: toUcpProduct(view, { product, lines, ...options }),
    ...omitEmpty({
      messages: [...listDisclosures(product, path), ...listLineMessages(lines), ...messages],
      policies: listPolicies(view, [product], [path]),
    }),
  };
};

/** A selected value. */
interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Selects variants: those of a variant's own options, of the selected ones as far as a variant has them, or of the featured one. */
const select = (
  product: Product,
  variants: Variants,
  variant: number | undefined,
  { selected = [], preferences = [] }: ProductRequest,
) => {
  const choices = variants.choices();
  const meeting = (pairs: readonly Pair[]) => {
    const selection = resolveSelection(choices.options, pairs);
    return selection ? choices.variants.filter((each) => hasSelection(each, selection)) : [];
  };
  const given = selected.map(({ name, label }) => ({ name, value: label }));
  const isGiven = variant === undefined && given.length > 0;
  const own = variants.find(variant ?? product.offer.featured ?? -1)?.variant.options ?? [];
  let pairs = isGiven ? inSequence(choices.options, given, preferences) : own;
  while (pairs.length > 0 && meeting(pairs).length === 0) pairs = pairs.slice(0, -1);
  return { pairs, ids: meeting(pairs).map(({ id }) => id) };
};

type Options = ReturnType<Variants["choices"]>["options"];

/**
 * Puts selected values into the sequence in which they are kept: first the preferred options, then the others as the shop has them. An
 * option that the product does not have is left out.
 */
const inSequence = (
  options: Options,
  given: readonly Pair[],
  preferences: readonly string[],
): readonly Pair[] => {
  const preferred = preferences.map((name) => findOption(options, name));
  const sequence = [...new Set([...preferred, ...options])].filter(
    (option) => option !== undefined,
  );
  return sequence.flatMap((option) => {
    const pair = given.find(({ name }) => findOption(options, name) === option);
    return pair ? [{ name: option[0], value: pair.value }] : [];
  });
};

/** Describes the options with what is there of each value together with the values that are selected. */
const describeOptions = (
  { text }: Product,
  variants: Variants | undefined,
  pairs: readonly Pair[],
) => {
  const choices = variants?.choices();
  const selection = choices && resolveSelection(choices.options, pairs);
  if (!choices || !selection || choices.options.length === 0) return {};
  const options = text.options.map(({ name, values }) => {
    const option = choices.options.find(([own]) => own === name);
    const stateOf = option && evaluateOption(choices.variants, selection, option);
    return {
      name,
      values: values.map((value) => ({
        ...toOptionValue(value),
        ...(stateOf?.(value.value) ?? noState),
      })),
    };
  });
  const spelled = choices.options.flatMap(([name]) => {
    const [value] = selection.get(name) ?? [];
    return value === undefined ? [] : [{ name, label: value }];
  });
  return { options, selected: spelled };
};

const noState = { available: false, exists: false };
