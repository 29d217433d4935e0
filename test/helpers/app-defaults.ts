/** Dependencies of the app that most tests do not observe. */
export const appDefaults = {
  baseUrl: "https://agents.shop.example",
  allowedOrigins: [],
  sharedMaxAge: 0,
  maxFollowers: 1_000,
  dataAge: () => undefined,
  observe: () => {},
  onGraphqlFallback: () => {},
} as const;
