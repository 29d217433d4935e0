import { assembleVariants } from "../../../../projections/variants.ts";
import type { ShopEvent } from "../../../events/event.ts";
import { quoteForMessage } from "../../../events/rejection.ts";
import { foldText } from "../../../offers/option-selection.ts";
import { variantOfKey } from "../../../read-model/schema/keys.ts";
import type { VariantContent } from "../../../read-model/schema/product-parts.ts";
import { type LintModel, type LintWarning, optionsOf } from "./model.ts";

/** Finds option values that no variant has, and names and values in several spellings, of the products of one file. */
export const createOptionCheck = (model: LintModel) => {
  /** Of each product, the last event that stated options or variants. */
  const positions = new Map<number, Omit<LintWarning, "reason">>();
  const mark = (id: number, line: number, field: string | undefined): void => {
    // From the limit on, a product that changes is not checked, because its variants may be incomplete.
    if (model.isFull()) positions.delete(id);
    else if (field !== undefined) positions.set(id, { line, field });
  };
  return {
    /** @param event that was applied */
    add({ type, data, logSequence: line }: ShopEvent): void {
      if (type === "shop.variant.upserted") mark(data.productId, line, "data.options");
      if (type !== "shop.product.upserted" && type !== "shop.product.patched") return;
      const member = (["options", "variants"] as const).find((each) => data[each]);
      mark(data.id, line, member && `data.${member}`);
    },
    /** Lists the warnings after the last event of each product, each with the last line that caused it. */
    warnings: (): readonly LintWarning[] =>
      [...positions].flatMap(([id, position]) =>
        findFaults(id, model).map((reason) => ({ ...position, reason })),
      ),
  };
};

/** An option as the product or a variant writes it. */
interface WrittenOption {
  readonly name: string;
  readonly values: readonly string[];
}

const findFaults = (id: number, model: LintModel): readonly string[] => {
  const options = readOptions(id, model);
  const variants = readVariants(id, model);
  const chosen = variants.flat().map(({ name, value }) => ({ name, values: [value] }));
  const spellings = describeSpellings([...options, ...chosen]);
  const unused = variants.length === 0 ? [] : options.flatMap((each) => findUnused(each, variants));
  return [
    ...spellings.map((text) => `product ${id} has ${text}: write them alike`),
    ...unused.map(
      (text) =>
        `no variant of product ${id} in the file has ${text}: leave the value out of options, or send its variant`,
    ),
  ];
};

const readOptions = (id: number, { rows }: LintModel): readonly WrittenOption[] => {
  const core = rows.productCores.get(id);
  return (core ? optionsOf(core) : []).map(({ name, values = [] }) => ({
    name,
    values: values.map((each) => (typeof each === "string" ? each : each.value)),
  }));
};

type Choices = VariantContent["options"];

const readVariants = (id: number, { rows }: LintModel): readonly Choices[] => {
  const states = [...rows.variantStates.variantsOf(id)];
  const variants = assembleVariants({
    list: rows.variantLists.get(id),
    states: new Map(states.map(([key, row]) => [variantOfKey(key), row])),
    price: () => undefined,
    stock: () => undefined,
  });
  return variants.map(({ content }) => content.options);
};

const describeSpellings = (written: readonly WrittenOption[]): readonly string[] =>
  groupAlike(written, ({ name }) => name).flatMap((alike) => {
    const names = new Set(alike.map(({ name }) => name));
    const values = new Set(alike.flatMap((each) => each.values));
    const name = quoteForMessage([...names][0]);
    return [
      ...(names.size > 1 ? [`the option names ${joinQuoted(names)}, which count as one`] : []),
      ...groupAlike(values, (value) => value)
        .filter(({ length }) => length > 1)
        .map((texts) => `the values ${joinQuoted(texts)} of ${name}, which count as different`),
    ];
  });

/** Groups items whose texts differ by case and outer blanks alone. */
const groupAlike = <T>(items: Iterable<T>, textOf: (item: T) => string): readonly T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const folded = foldText(textOf(item));
    const group = groups.get(folded) ?? [];
    groups.set(folded, group);
    group.push(item);
  }
  return [...groups.values()];
};

/** Finds values that no variant has. A variant that leaves an option out has any value of it. */
const findUnused = (
  { name, values }: WrittenOption,
  variants: readonly Choices[],
): readonly string[] => {
  const chosen = variants.map((choices) =>
    choices.find((choice) => foldText(choice.name) === foldText(name)),
  );
  if (chosen.includes(undefined)) return [];
  const used = new Set(chosen.map((choice) => foldText(choice?.value ?? "")));
  const unused = values.filter((value) => !used.has(foldText(value)));
  return unused.length === 0 ? [] : [`${quoteForMessage(name)} ${joinQuoted(unused)}`];
};

const maxQuoted = 10;

const joinQuoted = (texts: Iterable<string>): string => {
  const all = [...texts];
  const more = all.length > maxQuoted ? [`${all.length - maxQuoted} more`] : [];
  return [...all.slice(0, maxQuoted).map(quoteForMessage), ...more].join(", ");
};
