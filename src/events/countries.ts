/** Country codes: ISO 3166-1 alpha-2, and the codes that shops and agents use in their place. */

/**
 * Returns the upper-cased code of a country, given its code or an alias of it, in either case.
 * @returns undefined when the text names no country
 */
export function toCountryCode(text: string): string | undefined {
  if (!codePattern.test(text)) return undefined;
  const code = text.toUpperCase();
  return countries.has(code) ? code : aliases.get(code);
}

/** The value of a carrier that ships to every country. */
export const everyCountry = "*";

const codePattern = /^[A-Za-z]{2}$/;

/**
 * The 249 codes of ISO 3166-1, and XK for Kosovo, a code of the user-assigned range that post, banks and shop
 * platforms use. The list is fixed here, because the one of the running Node changes with its version.
 */
const countries: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
  `
    .trim()
    .split(/\s+/),
);

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Used by the United Kingdom, the European Union and customs in place of the ISO code.
    UK: "GB",
    XI: "GB",
    EL: "GR",
    // Parts of a country with a code of their own, reserved in ISO 3166-1 for post and customs.
    AC: "SH",
    TA: "SH",
    CP: "FR",
    FX: "FR",
    CQ: "GG",
    DG: "IO",
    EA: "ES",
    IC: "ES",
    // Withdrawn from ISO 3166-1, and still in the country lists of shop platforms: the main successor.
    AN: "CW",
    BU: "MM",
    CS: "RS",
    DD: "DE",
    SU: "RU",
    TP: "TL",
    YD: "YE",
    YU: "RS",
    ZR: "CD",
  }),
);
