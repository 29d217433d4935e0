import type { RegistrationMode } from "./access/registration.ts";
import type { ToolsAccess } from "./access/tokens.ts";

/** Settings of a deployment that its published texts state. The bytes of the discovery documents depend on nothing else. */
export interface Site {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Selects the way to get a token that the texts describe. */
  readonly registration: RegistrationMode;
  readonly toolsAccess: ToolsAccess;
}
