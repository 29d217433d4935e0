/** What the tests of clients get from the process that starts them. */
export interface Services {
  /** URL of a service with the demo shop. */
  readonly url: string;
  /** URL of one whose tools need no token. */
  readonly openUrl: string;
  /** URL of one that accepts one request per minute from a client. */
  readonly limitedUrl: string;
  readonly tokenSecret: string;
}

/** Environment variable with the services as JSON. */
export const servicesVariable = "VITRINE_CLIENT_SERVICES";
