import { createHash } from "node:crypto";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { EventData, EventType } from "../../src/events/event.ts";

/** Writes a shop's events in the order they are told. */
export interface Teller {
  /**
   * @param subject as the contract has it: `product/1001`, `settings`.
   * @param time milliseconds since 1970.
   */
  tell<T extends EventType>(type: T, subject: string, time: number, data: EventData[T]): CloudEvent;
}

/**
 * Core, variants, prices and stock of a product share one count of versions, as a shop's own record of the product
 * has: so the price inside an upsert and the price told alone can be compared.
 */
export function createTeller(): Teller {
  const versions = new Map<string, number>();
  return {
    tell(type, subject, time, data) {
      const entity = subject.replace(/^(?:price|stock|variant)\/(\d+).*/, "product/$1");
      const sequence = (versions.get(entity) ?? 0) + 1;
      versions.set(entity, sequence);
      return {
        specversion: "1.0",
        id: `${entity.replace("/", "-")}-${sequence}`,
        source: "/shops/demo",
        type,
        subject,
        time: new Date(time).toISOString().replace(".000Z", "Z"),
        sequence: String(sequence),
        data,
      };
    },
  };
}

/** A number from 0 to below `limit`, the same for the same words: the demo has no other chance in it. */
export const pick = (limit: number, ...words: readonly (string | number)[]): number =>
  createHash("sha256").update(words.join(" ")).digest().readUInt32BE() % limit;
