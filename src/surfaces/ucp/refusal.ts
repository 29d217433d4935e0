/** A request that is not answered (Contract §12). */
export interface Refusal {
  readonly code: "invalid_profile_url" | "invalid_request" | "request_too_large";
  /** Names the member, and the fix. */
  readonly content: string;
}

export const invalidRequest = (content: string): Refusal => ({ code: "invalid_request", content });

export const isRefusal = (value: object): value is Refusal => "code" in value && "content" in value;
