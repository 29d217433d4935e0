import type { NameValue } from "../../events/event.ts";
import type { OptionData } from "../../events/product-facts.ts";
import { type Members, readMembers, readObjects, readText } from "../members.ts";

/** Bounds of Contract 9. */
const maxOptions = 10;
const maxValueLength = 500;
/** Bound of Contract 9 on specifications. */
const maxNames = 1_000;
const codePattern = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Sorts attributes: those in which the variants differ are options, those that all have specifications of the product.
 * What no option has room for is a specification of the variant.
 */
export const sortAttributes = (
  product: Members,
  variants: readonly Members[],
  language?: string,
) => {
  const lists = variants.map((variant) => readAttributes(variant, language));
  const names = [...new Set(lists.flatMap((list) => [...list.keys()]))].slice(0, maxNames);
  const isCommon = (name: string) => lists.every((list) => list.get(name) === lists[0]?.get(name));
  const isShort = (name: string) =>
    lists.every((list) => (list.get(name) ?? "").length <= maxValueLength);
  const differing = names.filter((name) => !isCommon(name));
  const chosen = differing.filter(isShort).slice(0, maxOptions);
  const others = differing.filter((name) => !chosen.includes(name));
  const own = readAttributes(product, language);
  return {
    options: chosen.map((name) => toOption(name, lists)),
    specifications: [...pick(own, [...own.keys()]), ...pick(lists[0], names.filter(isCommon))],
    variants: lists.map((list) => ({
      options: pick(list, chosen),
      specifications: pick(list, others),
    })),
  };
};

/** Texts by name. */
type Attributes = ReadonlyMap<string, string>;

const readAttributes = (owner: Members, language?: string): Attributes =>
  new Map(
    readObjects(owner["attributes"]).flatMap((attribute): [string, string][] => {
      const name = readText(attribute["name"]);
      const value = readValue(attribute["value"], language);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );

const pick = (list: Attributes | undefined, names: readonly string[]): readonly NameValue[] =>
  names.flatMap((name) => {
    const value = list?.get(name);
    return value === undefined ? [] : { name, value };
  });

const toOption = (name: string, lists: readonly Attributes[]): OptionData => ({
  name,
  ...(codePattern.test(name) ? { code: name } : {}),
  values: [...new Set(lists.flatMap((list) => list.get(name) ?? []))],
});

/** @returns undefined for sets, references, money and nested attributes */
const readValue = (value: unknown, language?: string): string | undefined => {
  if (typeof value === "boolean") return String(value);
  const members = readMembers(value);
  if (!members) return readText(value);
  const { label } = members;
  if (label !== undefined) return readText(label) ?? readLocalized(label, language);
  const isLocalized = Object.keys(members).every((name) => /^[a-z]{2,3}(-\w+)*$/.test(name));
  return isLocalized ? readLocalized(members, language) : undefined;
};

/** Reads a localized text in the language, else in one with the same two letters, else the first. */
export const readLocalized = (value: unknown, language = ""): string | undefined => {
  const texts = Object.entries(readMembers(value) ?? {}).flatMap(([tag, member]) => {
    const text = readText(member);
    return text === undefined ? [] : { tag, text };
  });
  const isSimilar = ({ tag }: { readonly tag: string }) => tag.slice(0, 2) === language.slice(0, 2);
  return (texts.find(({ tag }) => tag === language) ?? texts.find(isSimilar) ?? texts[0])?.text;
};
