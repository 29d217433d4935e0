import { maxBodyBytes } from "../events/message-content.ts";
import type { DraftEvent, DraftOf } from "./delivery.ts";

/** Room for the attributes of an event. */
const maxDataBytes = maxBodyBytes - 8 * 1024;

/**
 * Divides a product that is larger than an event may be: the product without `variants`, and an event for each variant. A
 * description that is too large by itself is left out.
 * @param published ids of the variants that were published so before; those that are gone are deleted
 * @param leaveOut receives the name of the description
 */
export const divideEvent = (
  event: DraftEvent,
  published: readonly number[],
  leaveOut: (member: string) => void,
): readonly [DraftEvent, ...DraftEvent[]] => {
  if (event.type !== "shop.product.upserted" || !isTooLarge(event)) return [event];
  const { variants: list, ...members } = event.data;
  const variants = list ?? [];
  const isDescribed = !isTooLarge({ ...event, data: members });
  const data = isDescribed ? members : { ...members, descriptionHtml: null };
  if (!isDescribed) leaveOut("descriptionHtml");
  const ids = new Set(variants.map(({ id }) => id));
  const productId = data.id;
  return [
    { ...event, data },
    ...variants.map(
      (variant): DraftOf<"shop.variant.upserted"> => ({
        type: "shop.variant.upserted",
        data: { productId, ...variant },
        time: event.time,
      }),
    ),
    ...published
      .filter((id) => !ids.has(id))
      .map(
        (id): DraftOf<"shop.variant.deleted"> => ({
          type: "shop.variant.deleted",
          data: { productId, id },
          time: event.time,
        }),
      ),
  ];
};

/** A character has at most 3 bytes in UTF-8 for each code unit, so most events need no second count. */
export const isTooLarge = ({ data }: DraftEvent): boolean => {
  const text = JSON.stringify(data);
  return text.length * 3 > maxDataBytes && Buffer.byteLength(text) > maxDataBytes;
};
