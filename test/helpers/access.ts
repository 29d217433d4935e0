import { openIdempotencyStore } from "../../src/read-model/registrations/idempotency-store.ts";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import type {
  Access,
  RegistrationMode,
  SelfIssuedTokens,
} from "../../src/surfaces/access/registration.ts";
import type { ToolsAccess } from "../../src/surfaces/access/tokens.ts";
import { temporaryDirectory } from "./directory.ts";

/** Secret that every test server signs tokens with. */
export const testSecret = "a secret that only tests know";

/** Creates a token that every test server accepts. */
export const tokenFor = (label: string, tokenEpoch = 0): string =>
  signToken({ label, tokenEpoch }, testSecret);

export interface TestAccess extends Access {
  close(): void;
}

/** Opens access control as `serve` does, with a real idempotency store in a temporary directory. */
export const openAccess = (
  registration: RegistrationMode = "open",
  toolsAccess: ToolsAccess = "token",
  selfIssuedTokens: SelfIssuedTokens = "refused",
): TestAccess => {
  const directory = temporaryDirectory();
  const keys = openIdempotencyStore({
    dataDir: directory.path,
    now: Date.now,
    onFault: (error) => {
      throw error;
    },
  });
  return {
    registration,
    selfIssuedTokens,
    toolsAccess,
    secret: testSecret,
    keys,
    close() {
      directory.remove();
    },
  };
};
