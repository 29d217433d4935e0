/** The types of UCP and ACP. */
type BarcodeType = "UPC" | "EAN" | "ISBN" | "GTIN" | "JAN";

export interface Barcode {
  readonly type: BarcodeType;
  /** Digits alone. */
  readonly value: string;
}

/** Reads a barcode. @returns undefined for another length, or a wrong check digit */
export const toBarcode = (text: string | null | undefined): Barcode | undefined => {
  const value = (text ?? "").replace(/[\s-]/g, "");
  const isDigits = /^(?:\d{8}|\d{12,14})$/.test(value);
  return isDigits && hasCheckDigit(value) ? { type: typeOf(value), value } : undefined;
};

const typeOf = (value: string): BarcodeType => {
  if (value.length === 12) return "UPC";
  if (value.length === 14) return "GTIN";
  if (value.length === 13 && /^97[89]/.test(value)) return "ISBN";
  return /^4[59]/.test(value) ? "JAN" : "EAN";
};

/** From the right, digits count three times and once in turn; with the check digit the sum is a multiple of 10. */
const hasCheckDigit = (value: string): boolean => {
  const digits = [...value].reverse().map(Number);
  return digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
};
