/** Dependencies of the app that most tests do not observe. */
export const appDefaults = {
  baseUrl: "https://agents.shop.example",
  allowedOrigins: [],
  dataAge: () => undefined,
  observe: () => {},
  onGraphqlFallback: () => {},
} as const;
