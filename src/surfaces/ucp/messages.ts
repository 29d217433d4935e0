import type { Product } from "../../read-model/reader/product.ts";
import type { EntryLine } from "../entry/lines.ts";
import { formatQuantityRule } from "../words/facts.ts";
import { info, type UcpMessage } from "./view.ts";

/** Lists what a buyer of a product must see. @param path of the product in the answer */
export const listDisclosures = (
  { text: { facts } }: Product,
  path: string,
): readonly UcpMessage[] => {
  const disclose = (code: string, content: string, more: object = {}): UcpMessage => ({
    ...{ type: "warning", presentation: "disclosure", code, content, path },
    ...more,
  });
  const { warnings, minimumAge, energyLabel: label } = facts;
  const [best, worst] = label?.scale ?? [];
  const scale = best && worst ? ` (${best} to ${worst})` : "";
  return [
    ...(warnings ?? []).map(({ text, code, url, imageUrl }) =>
      disclose(code || "product_warning", text, toLinks(url, imageUrl)),
    ),
    ...(minimumAge
      ? [disclose("age_restricted", `Only for buyers of at least ${minimumAge} years.`)]
      : []),
    ...(label
      ? [
          disclose(
            "energy_label",
            `Energy efficiency class ${label.class}${scale}`,
            toLinks(label.sheetUrl, label.labelUrl),
          ),
        ]
      : []),
  ];
};

const toLinks = (url: string | null | undefined, image: string | null | undefined) => ({
  ...(url && { url }),
  ...(image && { image_url: image }),
});

/** Lists what holds for lines in the answer of one product. */
export const listLineMessages = (lines: readonly EntryLine[]): readonly UcpMessage[] =>
  lines.flatMap(({ offer }, at) => {
    const path = `$.product.variants[${at}]`;
    const { sale, stock, quantityRule } = offer;
    const rule = formatQuantityRule(quantityRule);
    return [
      ...(sale?.to ? [info("sale_ends", sale.to, path)] : []),
      ...(stock.availabilityDate ? [info("ships_from", stock.availabilityDate, path)] : []),
      ...(rule
        ? [info("quantity_rule", `${rule.charAt(0).toUpperCase()}${rule.slice(1)} pieces.`, path)]
        : []),
    ];
  });
