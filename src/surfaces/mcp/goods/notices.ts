import type { ProductFacts } from "../../../events/goods.ts";
import { omitEmpty } from "./omit-empty.ts";

/** Converts what a buyer must see before an order to members of an answer. */
export const toNoticeFields = ({ minimumAge, warnings }: ProductFacts): object =>
  omitEmpty({
    minimum_age: minimumAge,
    warnings: warnings?.map(({ imageUrl, ...warning }) =>
      omitEmpty({ ...warning, image_url: imageUrl }),
    ),
  });

/** Formats what a buyer must see before an order, a line each. The text of a warning is never shortened. */
export const formatNotices = ({ minimumAge, warnings }: ProductFacts): readonly string[] => [
  ...(minimumAge ? [`Minimum age: ${minimumAge}`] : []),
  ...(warnings ?? []).map(
    ({ text, code, url, imageUrl }) =>
      `Warning: ${[text, code && `(${code})`, url, imageUrl].filter(Boolean).join(" ")}`,
  ),
];
