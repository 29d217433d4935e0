import type {
  Company,
  EnergyLabel,
  Media,
  ProductFacts,
  QuantityRule,
  Rating,
  Relationship,
  Returns,
  Warning,
} from "../../events/product-facts.ts";
import { toScaledRating } from "../../offers/rating.ts";
import type { ProductText } from "../../read-model/schema/documents.ts";
import { pluralize } from "../format.ts";
import type { MemberOn } from "../product-members.ts";
import type { Style } from "./style.ts";

/** Formats a fact on a line of its own; no line without a value. */
export const factLine = (name: string, value: string | null | undefined): readonly string[] =>
  value ? [`${name}: ${value}`] : [];

/** Formats brand and codes of a product. */
export const identityLines = (text: ProductText, style: Style): readonly string[] =>
  Object.values(identityWriters).flatMap((write) => write(text, style));

/** Formats the facts of a product that follow its identity. */
export const factLines = (facts: ProductFacts, style: Style): readonly string[] =>
  Object.values(factWriters).flatMap((write) => write(facts, style));

type Writers<Member extends string, Source> = Readonly<
  Record<Member, (source: Source, style: Style) => readonly string[]>
>;

/** Members in the sequence of their lines, as in `factWriters`. */
const identityWriters: Writers<MemberOn<"identity">, ProductText> = {
  brand: ({ brand }, style) => factLine("Brand", brand && style.text(brand)),
  reference: ({ reference }, style) => factLine("Reference", reference && style.text(reference)),
  gtin: ({ gtin }, style) => factLine("GTIN", gtin && style.text(gtin)),
};

const factWriters: Writers<MemberOn<"facts">, ProductFacts> = {
  mpn: ({ mpn }, style) => factLine("MPN", mpn && style.text(mpn)),
  rating: ({ rating }) => factLine("Rating", formatRating(rating)),
  releaseDate: ({ releaseDate: date }, style) => factLine("Release date", date && style.time(date)),
  manufacturer: ({ manufacturer }, style) =>
    factLine("Manufacturer", manufacturer && formatCompany(manufacturer, style)),
  responsiblePerson: ({ responsiblePerson: person }, style) =>
    factLine("Responsible person", person && formatCompany(person, style)),
  energyLabel: ({ energyLabel: label }, style) =>
    factLine("Energy class", label && formatEnergyLabel(label, style)),
};

const formatRating = (rating: Rating | null | undefined): string | undefined => {
  const scaled = toScaledRating(rating);
  return scaled && `${scaled.value} of ${scaled.best} from ${pluralize(scaled.count, "rating")}`;
};

const formatCompany = ({ name, address, email, url }: Company, style: Style): string =>
  [
    ...[name, address, email].flatMap((text) => (text ? [style.text(text)] : [])),
    ...(url ? [style.url(url)] : []),
  ].join(", ");

/** Formats an energy class with its scale, because the class alone may not be advertised. */
const formatEnergyLabel = (label: EnergyLabel, style: Style): string => {
  const [best, worst] = label.scale ?? [];
  return [
    style.text(label.class),
    ...(best && worst ? [`scale from ${style.text(best)} to ${style.text(worst)}`] : []),
    ...(label.labelUrl ? [style.link("label", label.labelUrl)] : []),
    ...(label.sheetUrl ? [style.link("product information sheet", label.sheetUrl)] : []),
    ...(label.eprelId ? [`EPREL ${style.text(label.eprelId)}`] : []),
  ].join(", ");
};

export const minimumAgeLine = ({ minimumAge }: ProductFacts): readonly string[] =>
  factLine("Minimum age", minimumAge ? `${minimumAge} years` : null);

/** Formats a warning. Its text is never shortened. */
export const formatWarning = ({ text, code, url, imageUrl }: Warning, style: Style): string =>
  [
    style.text(text),
    ...(code ? [`(${style.text(code)})`] : []),
    ...(url ? [style.link("details", url)] : []),
    ...(imageUrl ? [style.link("picture", imageUrl)] : []),
  ].join(" ");

/** Formats how many pieces one purchase may have; empty when any number may be bought. */
export const formatQuantityRule = (rule: QuantityRule | null | undefined): string => {
  if (!rule) return "";
  const { min, max, step } = rule;
  return [
    ...(min && min > 1 ? [`at least ${min}`] : []),
    ...(step && step > 1 ? [`in steps of ${step}`] : []),
    ...(max ? [`at most ${max}`] : []),
  ].join(", ");
};

/** Formats whether and how a purchase can be returned. */
export const formatReturns = (returns: Returns, style: Style): string => {
  const { accepted, days, exchanges, fees, countries } = returns;
  const limit = days == null ? "" : ` within ${pluralize(days, "day")}`;
  return [
    accepted ? `accepted${limit}` : "not accepted",
    ...(accepted && fees ? [fees === "free" ? "free of charge" : "at the cost of the buyer"] : []),
    ...(exchanges == null ? [] : [exchanges ? "exchange possible" : "no exchange"]),
    ...(countries?.length ? [`in ${countries.map(style.text).join(", ")}`] : []),
  ].join(", ");
};

const mediaNames: Readonly<Record<Media["type"], string>> = {
  image: "image",
  video: "video",
  model_3d: "3D model",
};

export const formatMedia = ({ type, url, alt, previewUrl }: Media, style: Style): string => {
  const preview = previewUrl ? `, ${style.link("preview", previewUrl)}` : "";
  return `${style.link(alt ?? "", url)}: ${mediaNames[type]}${preview}`;
};

export const relationshipNames: Readonly<Record<Relationship, string>> = {
  part_of_set: "part of the same set",
  required_part: "required part",
  often_bought_with: "often bought together",
  substitute: "substitute",
  different_brand: "same kind of another brand",
  accessory: "accessory",
  similar: "similar",
};
