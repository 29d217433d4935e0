import { suite } from "uvu";
import { testConnections } from "./connection-tests.ts";
import { testFidelity } from "./fidelity-tests.ts";
import { closeProxy, openProxy, type ProxyContext, type StartProxy } from "./proxy-context.ts";
import { testRouting } from "./routing-tests.ts";

/** uvu prints no error of `before`. */
const printAndThrow = (error: unknown): never => {
  console.error(error);
  throw error;
};

/** Tests what every proxy of `deploy/` does. @param args further options of `serve` */
export const proxySuite = (
  name: string,
  startProxy: StartProxy,
  args: readonly string[] = [],
): void => {
  const test = suite<{ context: ProxyContext }>(name);
  test.before(async (state) => {
    state.context = await openProxy(startProxy, args).catch(printAndThrow);
  });
  test.after(async ({ context }: { context?: ProxyContext }) => {
    if (context !== undefined) await closeProxy(context);
  });
  testRouting(test);
  testFidelity(test);
  testConnections(test, startProxy);
  test.run();
};
