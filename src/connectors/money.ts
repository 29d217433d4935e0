import type { Money } from "../events/event.ts";
import { readText } from "./members.ts";

/**
 * Converts a decimal text with a point, or a whole number, to money.
 * @returns undefined for other values, for a sign, and for more than 6 decimals that are not 0
 */
export const toMoney = (value: unknown, currency: string): Money | undefined => {
  const [, integer, fraction = ""] = decimal.exec(readText(value) ?? "") ?? [];
  if (integer === undefined) return undefined;
  return { amount: fraction === "" ? integer : `${integer}.${fraction}`, currency };
};

const decimal = /^0*(0|[1-9]\d{0,14})(?:\.(\d{1,6})0*)?$/;
