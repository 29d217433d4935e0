/** Status and headers of a response; `headers` alternates names and values, without those of the rate limit. */
export interface ResponseHead {
  readonly route: string;
  readonly status: number;
  readonly headers: readonly string[];
}
