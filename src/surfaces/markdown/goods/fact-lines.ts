import {
  type Company,
  defaultBest,
  type EnergyLabel,
  type ProductFacts,
  type Rating,
} from "../../../events/goods.ts";
import { autolink, escapeInline, link } from "../../../text/markdown/escape.ts";
import { pluralize } from "../../format.ts";
import { formatDate } from "./dates.ts";

/** Formats a line of the list of facts; none without a value. */
export const factLine = (name: string, value: string | null | undefined): readonly string[] =>
  value ? [`- ${name}: ${value}`] : [];

/** Formats the facts of a product that follow its identity. */
export const formatFacts = (facts: ProductFacts): readonly string[] => [
  ...factLine("MPN", facts.mpn && escapeInline(facts.mpn)),
  ...factLine("Rating", formatRating(facts.rating)),
  ...factLine("Release date", facts.releaseDate && formatDate(facts.releaseDate)),
  ...factLine("Manufacturer", formatCompany(facts.manufacturer)),
  ...factLine("Responsible person", formatCompany(facts.responsiblePerson)),
  ...factLine("Energy class", formatEnergyLabel(facts.energyLabel)),
];

const formatRating = (rating: Rating | null | undefined): string | undefined =>
  rating && rating.count > 0
    ? `${rating.value} of ${rating.best ?? defaultBest} from ${pluralize(rating.count, "rating")}`
    : undefined;

const formatCompany = (company: Company | null | undefined): string | undefined =>
  company
    ? [
        ...[company.name, company.address, company.email].flatMap((text) =>
          text ? [escapeInline(text)] : [],
        ),
        ...(company.url ? [autolink(company.url)] : []),
      ].join(", ")
    : undefined;

/** Formats an energy class with its scale, because the class alone may not be advertised. */
const formatEnergyLabel = (label: EnergyLabel | null | undefined): string | undefined => {
  if (!label) return undefined;
  const [best, worst] = label.scale ?? [];
  return [
    escapeInline(label.class),
    ...(best && worst ? [`scale from ${escapeInline(best)} to ${escapeInline(worst)}`] : []),
    ...(label.labelUrl ? [link("label", label.labelUrl)] : []),
    ...(label.sheetUrl ? [link("product information sheet", label.sheetUrl)] : []),
    ...(label.eprelId ? [`EPREL ${escapeInline(label.eprelId)}`] : []),
  ].join(", ");
};
