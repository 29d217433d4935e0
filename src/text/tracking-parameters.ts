/** Matches parameters that identify a visitor's origin, by name. Some links have them after an HTML `&amp;`. */
const tracking =
  /^(?:amp;)*(?:(?:utm|gad|mtm|matomo|piwik|hsa|vero|oly)_.*|pk_(?:campaign|kwd|keyword|source|medium|content|cid)|gclid|gclsrc|gbraid|wbraid|dclid|srsltid|fbclid|igsh|igshid|msclkid|ttclid|twclid|yclid|ysclid|_openstat|li_fat_id|rdt_cid|epik|sccid|irclickid|cjevent|s_kwcid|ef_id|mc_[ce]id|mkt_tok|dm_i|_kx|__?hs[a-z]+|hsctatracking|_branch_match_id|_gl|_ga)$/i;

/** Matches parameters that some shops use for tracking, and others for pages of their own. */
const ambiguous = /^(?:amp;)*(?:ref|variant)$/i;
const referrer = /^(?:amp;)*ref$/i;

/**
 * Lists the queries under which a page may be stored, the likeliest first: as sent, without the last tracking
 * parameter (a page's own URL may have some, and assistants append one), without any, and without the ambiguous ones
 * too, `ref` before `variant`.
 * @param query with its `?`, or empty
 */
export function* storedQueries(query: string): Generator<string> {
  yield query;
  if (query.length < 2) return;
  const parameters = splitParameters(query);
  const last = parameters.at(-1) ?? "";
  const bare = parameters.filter((parameter) => !isNamed(parameter, tracking));
  const others = new Set([
    joinParameters(isNamed(last, tracking) ? parameters.slice(0, -1) : parameters),
    joinParameters(bare),
    joinParameters(bare.filter((parameter) => !isNamed(parameter, referrer))),
    joinParameters(bare.filter((parameter) => !isNamed(parameter, ambiguous))),
  ]);
  others.delete(query);
  yield* others;
}

/** Removes the tracking parameters of a query, which may be empty. */
export const stripTracking = (query: string): string =>
  joinParameters(splitParameters(query).filter((parameter) => !isNamed(parameter, tracking)));

const splitParameters = (query: string): readonly string[] =>
  query
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "");

const joinParameters = (parameters: readonly string[]): string =>
  parameters.length > 0 ? `?${parameters.join("&")}` : "";

const isNamed = (parameter: string, names: RegExp): boolean =>
  names.test((parameter.split("=", 1)[0] ?? "").replace(/%5f/gi, "_"));
