import { findPort } from "../../src/http/port.ts";

/**
 * Ports below those of `--port 0` (20,000 and up) and of outgoing connections, for each of the test processes that run at a time. A port
 * that a test keeps for a process that starts later, or again, is therefore not taken meanwhile.
 */
const firstPort = 12_000;
const portsPerSlot = 1_300;

/** `test/run.ts` numbers the processes that run at a time. */
const slot = Number(process.env.VITRINE_TEST_SLOT ?? 0);

/** The helper processes of a test begin elsewhere than the test itself. */
const state = { next: process.pid * 20 };

/** Finds a free port of 127.0.0.1. */
export const findFreePort = async (): Promise<number> => {
  for (let remaining = portsPerSlot; ; remaining -= 1) {
    const port = firstPort + slot * portsPerSlot + (state.next % portsPerSlot);
    state.next += 1;
    try {
      return await findPort({ host: "127.0.0.1", port });
    } catch (error) {
      if (remaining === 0) throw error;
    }
  }
};
