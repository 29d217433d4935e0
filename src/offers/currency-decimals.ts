/** Returns the minor unit of a currency by ISO 4217. The list of the running Node is another one, and changes with its version. */
export const currencyDecimals = (currency: string): number =>
  exceptions.find(([codes]) => codes.includes(currency))?.[1] ?? 2;

/** Codes without two decimals. Those of the second line are withdrawn. */
const exceptions = [
  ["BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0],
  ["ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL", 0],
  ["BHD IQD JOD KWD LYD OMR TND", 3],
  ["CLF UYW", 4],
] as const;
