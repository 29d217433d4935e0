import { openIdempotencyStore } from "../../src/read-model/registrations/idempotency-store.ts";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import type { Access, RegistrationMode } from "../../src/surfaces/access/registration.ts";
import { temporaryDirectory } from "./directory.ts";

/** What every test service signs tokens with. */
export const testSecret = "a secret that only tests know";

/** A token any test service takes. */
export const tokenFor = (label: string, generation = 0): string =>
  signToken({ label, generation }, testSecret);

export interface TestAccess extends Access {
  close(): void;
}

/** Access as the service has it, with a real book of idempotency keys in a directory of its own. */
export const openAccess = (registration: RegistrationMode = "open"): TestAccess => {
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
    secret: testSecret,
    keys,
    close() {
      directory.remove();
    },
  };
};
