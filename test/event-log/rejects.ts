import * as assert from "uvu/assert";
import { type ErrorCode, VitrineError } from "../../src/errors.ts";

/** Asserts that `what` throws an error with this code and a one-line message that matches `words`. */
export async function rejects(
  what: () => unknown,
  code: ErrorCode,
  words = /./,
): Promise<VitrineError> {
  const refused = await attempt(what);
  assert.instance(refused, VitrineError);
  if (!(refused instanceof VitrineError)) throw refused;
  assert.is(refused.code, code);
  assert.match(refused.message, words);
  assert.not.match(refused.message, /\n/);
  return refused;
}

async function attempt(what: () => unknown): Promise<unknown> {
  try {
    await what();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
