import type { Measure, NameValue } from "../../../events/product-facts.ts";
import { escapeHtml } from "../../../text/escape-html.ts";
import type { Connection } from "../../delivery.ts";
import { toEntityId } from "../../ids.ts";
import { type Members, readMembers, readText } from "../../members.ts";
import { type Fault, readFirst, readOffer, readValues } from "./offer.ts";

export type GoogleItem = Exclude<ReturnType<typeof readItem>, Fault>;

/** An option, with its attribute where Google has one. */
export interface OptionChoice extends NameValue {
  readonly code?: string;
}

/** Reads an item (Contract 10, Product data for Google). */
export const readItem = (item: Members, connection: Connection, taken: string) => {
  const offer = readOffer(item, connection);
  if ("reason" in offer) return offer;
  const first = (name: string) => readFirst(item, name) ?? null;
  const group = toEntityId("product", first("item_group_id"));
  const entity = toEntityId(group ? "variant" : "product", first("id"));
  const [reference, name, url] = [first("id"), first("title"), first("link")];
  if (!entity || !name || !url) return { attribute: "id", reason: "must be a text" };
  const choices = readChoices(item);
  const { specifications, ...shared } = readShared(item);
  const active = offer.expiresAt === undefined || offer.expiresAt > taken;
  const own = {
    ...{ price: offer.price, sales: offer.sales, active, unitPricing: readUnitPricing(item) },
    ...{ gtin: first("gtin"), mpn: first("mpn") },
  };
  const facts = { name, url, ...shared, brand: first("brand"), ...readTexts(item) };
  const [groupName, groupUrl] = [first("item_group_title"), first("canonical_link")];
  return {
    ...{ entity, group, choices, specifications, stock: offer.stock },
    paths: readValues(item, "product_type").flatMap((path) => readText(path) ?? []),
    product: group
      ? { ...group, ...facts, name: groupName ?? name, url: groupUrl ?? url, specifications }
      : { ...entity, ...facts, ...own, reference, specifications: [...choices, ...specifications] },
    variant: { ...entity, name, url, sku: reference, ...shared, ...own },
  };
};

/** Reads the members that a product and its variants have. */
const readShared = (item: Members) => {
  const condition = readFirst(item, "condition")?.toLowerCase();
  const links = [
    ...readValues(item, "image_link").slice(0, 1),
    ...readValues(item, "additional_image_link").slice(0, 10),
  ];
  return {
    condition: conditions.find((each) => each === condition) ?? null,
    images: links.flatMap((link) => readText(link) ?? []).map((url) => ({ url })),
    specifications: readSpecifications(item),
  };
};

const conditions = ["new", "refurbished", "used"] as const;

const readTexts = (item: Members) => ({
  descriptionHtml: toHtml(readFirst(item, "description")),
  highlights: readValues(item, "product_highlight").flatMap((text) => readText(text) ?? []),
  energyLabel: readEnergyLabel(item),
});

/** A description without tags is a text. */
const toHtml = (text: string | undefined): string | null =>
  text === undefined || /<\/?[a-z][^<>]*>|&(#\w+|[a-z]+);/i.test(text)
    ? (text ?? null)
    : escapeHtml(text).replace(/\r?\n/g, "<br>");

/** Reads the label. A certificate alone has no class, which a label needs. */
const readEnergyLabel = (item: Members) => {
  const certificates = readParts(item, "certification", [
    ...["certification_authority", "certification_name", "certification_code"],
  ]);
  const eprelId = certificates.find(([, name]) => name?.toUpperCase() === "EPREL")?.[2];
  const [energyClass, best, worst] = ["", "max_", "min_"].map((end) =>
    readFirst(item, `${end}energy_efficiency_class`),
  );
  const scale = best && worst ? [best, worst] : null;
  return energyClass === undefined ? null : { class: energyClass, scale, eprelId: eprelId ?? null };
};

const readUnitPricing = (item: Members) => {
  const measure = readMeasure(readFirst(item, "unit_pricing_measure"));
  const base = readMeasure(readFirst(item, "unit_pricing_base_measure"));
  return measure ? { measure, base: base ?? { value: "1", unit: measure.unit } } : null;
};

/** Reads `750 ml`. The contract leaves out what lacks a number or a unit. */
const readMeasure = (text: string | undefined): Measure | undefined => {
  const [, value = "", unit = ""] = /^([\d.,]*)\s*(.*)$/s.exec(text ?? "") ?? [];
  return text === undefined ? undefined : { value: value.replace(",", "."), unit };
};

/** Reads the parts of each value of an attribute: elements within, or a text with `:`. */
const readParts = (item: Members, attribute: string, names: readonly string[]) =>
  readValues(item, attribute).map((value) => {
    const members = readMembers(value);
    const [texts, last] = [(readText(value) ?? "").split(":"), names.length - 1];
    return members
      ? names.map((name) => readText(Object.hasOwn(members, name) ? members[name] : undefined))
      : names.map((_, at) => readText(at < last ? texts[at] : texts.slice(last).join(":")));
  });

const optionNames = { color: "Color", size: "Size", material: "Material", pattern: "Pattern" };
const traitNames = { gender: "Gender", age_group: "Age group" };

const readNamed = (item: Members, names: Readonly<Record<string, string>>) =>
  Object.entries(names).flatMap(([code, name]) => {
    const value = readFirst(item, code);
    return value === undefined ? [] : { name, value, code };
  });

/** Reads what a variant is. The first of two equal names counts. */
const readChoices = (item: Members): readonly OptionChoice[] => {
  const choices = new Map<string, OptionChoice>();
  for (const choice of readNamed(item, optionNames)) choices.set(choice.name.toLowerCase(), choice);
  for (const [name, value] of readParts(item, "variant_option", ["name", "value"])) {
    const key = name?.toLowerCase() ?? "";
    if (name && value && !choices.has(key)) choices.set(key, { name, value });
  }
  return [...choices.values()];
};

const readSpecifications = (item: Members) => {
  const parts = ["section_name", "attribute_name", "attribute_value"];
  const details = readParts(item, "product_detail", parts).flatMap(([group = null, name, value]) =>
    name && value ? { name, value, group } : [],
  );
  return [...readNamed(item, traitNames), ...details];
};
