import { type AssembledVariant, assembleVariants } from "../../../../projections/variants.ts";
import type { ShopEvent } from "../../../events/event.ts";
import type { OptionData } from "../../../events/goods.ts";
import { quoteForMessage } from "../../../events/rejection.ts";
import { foldText } from "../../../offers/option-selection.ts";
import { variantOfKey } from "../../../read-model/schema/variant-key.ts";
import type { LintModel, LintWarning } from "./model.ts";

/** Finds option values that no variant has, and names and values in several spellings, of the products of one file. */
export const createOptionCheck = (model: LintModel) => {
  /** Line and field of the last event that stated options or variants of a product. */
  const stated = new Map<number, Omit<LintWarning, "reason">>();
  return {
    /** @param event that was applied */
    add(event: ShopEvent, line: number): void {
      const [id, field] = findStated(event);
      // From the limit on, a product that changes is not checked, because its variants may be incomplete.
      if (model.isFull()) stated.delete(id);
      else if (field !== undefined) stated.set(id, { line, field });
    },
    /** Lists the warnings after the last event of each product, each with the last line that caused it. */
    warnings: (): readonly LintWarning[] =>
      [...stated].flatMap(([id, position]) =>
        findFaults(id, model).map((reason) => ({ ...position, reason })),
      ),
  };
};

/** @returns the product of an event, and the path of the options that it states */
const findStated = ({ type, data }: ShopEvent): readonly [id: number, field?: string] => {
  switch (type) {
    case "shop.product.upserted":
    case "shop.product.patched":
      return data.options
        ? [data.id, "data.options"]
        : data.variants
          ? [data.id, "data.variants"]
          : [data.id];
    case "shop.variant.upserted":
      return [data.productId, "data.options"];
    default:
      return [0];
  }
};

const findFaults = (id: number, model: LintModel): readonly string[] => {
  const options = readOptions(id, model);
  const variants = readVariants(id, model);
  const spellings = [...collectSpellings([...options, ...variants.flatMap(toOptions)]).values()];
  return [
    ...spellings
      .flatMap(describeSpellings)
      .map((text) => `product ${id} has ${text}: write them alike`),
    ...(variants.length === 0 ? [] : options.flatMap((option) => findUnused(id, option, variants))),
  ];
};

/** An option as the product or a variant writes it. */
interface WrittenOption {
  readonly name: string;
  readonly values: readonly string[];
}

const readOptions = (id: number, { rows }: LintModel): readonly WrittenOption[] => {
  const core = rows.productCores.get(id);
  const content = core?.group?.content;
  // A patch waits while the files have not stated its product.
  const patches = (core?.pending ?? []).flatMap(({ patch }) => patch.options ?? []);
  const options: readonly OptionData[] = content ? (content.facts?.options ?? []) : patches;
  return options.map(({ name, values = [] }) => ({ name, values: values.map(toText) }));
};

const toText = (value: OptionData["values"][number]): string =>
  typeof value === "string" ? value : value.value;

const readVariants = (id: number, { rows }: LintModel): readonly AssembledVariant[] => {
  const states = [...rows.variantStates.variantsOf(id)];
  return assembleVariants({
    list: rows.variantLists.get(id),
    states: new Map(states.map(([key, row]) => [variantOfKey(key), row])),
    price: () => undefined,
    stock: () => undefined,
  });
};

const toOptions = ({ content }: AssembledVariant): readonly WrittenOption[] =>
  content.options.map(({ name, value }) => ({ name, values: [value] }));

interface Spellings {
  readonly names: Set<string>;
  /** By folded value. */
  readonly values: Map<string, Set<string>>;
}

/** Collects the spellings of each option by its folded name. */
const collectSpellings = (written: readonly WrittenOption[]): ReadonlyMap<string, Spellings> => {
  const spellings = new Map<string, Spellings>();
  for (const { name, values } of written) {
    const option = spellings.get(foldText(name)) ?? { names: new Set(), values: new Map() };
    spellings.set(foldText(name), option);
    option.names.add(name);
    for (const value of values) {
      const texts = option.values.get(foldText(value)) ?? new Set();
      option.values.set(foldText(value), texts.add(value));
    }
  }
  return spellings;
};

const describeSpellings = ({ names, values }: Spellings): readonly string[] => {
  const name = quoteForMessage([...names][0]);
  const several = [...values.values()].filter(({ size }) => size > 1);
  return [
    ...(names.size > 1 ? [`the option names ${joinQuoted(names)}, which count as one`] : []),
    ...several.map((each) => `the values ${joinQuoted(each)} of ${name}, which count as different`),
  ];
};

/** Finds values that no variant has. A variant that leaves an option out has any value of it. */
const findUnused = (
  id: number,
  { name, values }: WrittenOption,
  variants: readonly AssembledVariant[],
): readonly string[] => {
  const chosen = variants.map(({ content }) =>
    content.options.find((choice) => foldText(choice.name) === foldText(name)),
  );
  if (chosen.includes(undefined)) return [];
  const used = new Set(chosen.map((choice) => foldText(choice?.value ?? "")));
  const unused = values.filter((value) => !used.has(foldText(value)));
  return unused.length === 0
    ? []
    : [
        `no variant of product ${id} in the file has ${quoteForMessage(name)} ${joinQuoted(unused)}: leave the value out of options, or send its variant`,
      ];
};

const maxQuoted = 10;

const joinQuoted = (texts: Iterable<string>): string => {
  const all = [...texts];
  const more = all.length > maxQuoted ? [`${all.length - maxQuoted} more`] : [];
  return [...all.slice(0, maxQuoted).map(quoteForMessage), ...more].join(", ");
};
