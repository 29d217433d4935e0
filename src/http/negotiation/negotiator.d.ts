/** Workaround for the published types of negotiator: they describe an older version, without `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: {
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    });
    /** Selects the best available encoding, and the preferred one of equally good ones. */
    encoding(available: string[], options?: { preferred: string[] }): string | undefined;
    mediaType(available: string[]): string | undefined;
  }
}
