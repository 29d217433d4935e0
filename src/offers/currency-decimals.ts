/**
 * Returns the decimals of a currency: the minor unit of ISO 4217. The list is fixed here, because the one of the running Node is that
 * of a locale library and changes with its version.
 */
export const currencyDecimals = (currency: string): number =>
  exceptions.find(([codes]) => codes.includes(currency))?.[1] ?? 2;

/** The codes without two decimals, each list followed by withdrawn ones. */
const exceptions: readonly (readonly [codes: readonly string[], decimals: number])[] = [
  ["BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "), 0],
  ["ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL".split(" "), 0],
  ["BHD IQD JOD KWD LYD OMR TND".split(" "), 3],
  ["CLF UYW".split(" "), 4],
];
