import { VitrineError } from "../../../errors.ts";
import {
  allRefused,
  discardDeliveries,
  retryDeliveries,
  translatedFrom,
} from "../../../gateway/inbox/operate.ts";
import { argumentList, flag, integerFrom, json, optional } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { formatCount, print } from "../../terminal/output.ts";
import { connectionOption, selectConnections } from "./select.ts";

const shared = {
  settings: ["dataDir"],
  argument: argumentList("[delivery...]", "numbers of deliveries", integerFrom(1)),
} as const;
const options = { all: flag("all refused ones"), connection: connectionOption, json };

export const retryCommand = defineCommand({
  ...shared,
  options: {
    ...options,
    from: optional("<n>", "all kept deliveries from this number on", integerFrom(1)),
  },
  examples: [
    "vitrine deliveries retry 17",
    "vitrine deliveries retry --all",
    "vitrine deliveries retry --from 1 --connection main",
  ],
  notes: `A delivery is appended to the inbox again, with a new number, and the gateway translates it with the others. What the log
has already is not published again. --from is for a translator that was mended: bodies that are older than the newest one
of their resource are ignored.`,
  run: ({ config: { dataDir }, argument: typed, options: { all, from, connection } }) => {
    const isExact = [typed.length > 0, all, from !== undefined].filter(Boolean).length === 1;
    if (!isExact) throw wrongSelection("retry");
    const select = from === undefined ? (all ? allRefused : () => typed) : translatedFrom(from);
    return retry(dataDir, selectConnections(dataDir, connection, all ? "any" : "one"), select);
  },
});

type Select = Parameters<typeof retryDeliveries>[2];

const retry = async (
  dataDir: string,
  connections: readonly string[],
  select: Select,
): Promise<Report> => {
  const retried: { connection: string; delivery: number; appended: number }[] = [];
  for (const connection of connections) {
    for (const [delivery, appended] of await retryDeliveries(dataDir, connection, select)) {
      retried.push({ connection, delivery, appended });
    }
  }
  return {
    json: { retried },
    show: () =>
      print(
        `${formatCount(retried.length, "delivery waits", "deliveries wait")} to be translated again`,
      ),
    exitCode: retried.length > 0 ? 0 : 1,
  };
};

export const discardCommand = defineCommand({
  ...shared,
  options,
  examples: ["vitrine deliveries discard 17", "vitrine deliveries discard --all"],
  run: async ({ config: { dataDir }, argument: typed, options: { all, connection } }) => {
    if (all === typed.length > 0) throw wrongSelection("discard");
    const discarded: { connection: string; delivery: number }[] = [];
    for (const name of selectConnections(dataDir, connection, all ? "any" : "one")) {
      const numbers = await discardDeliveries(dataDir, name, all ? allRefused : () => typed);
      for (const delivery of numbers) discarded.push({ connection: name, delivery });
    }
    return {
      json: { discarded },
      show: () => print(`${formatCount(discarded.length, "delivery", "deliveries")} discarded`),
    };
  },
});

const wrongSelection = (kind: string): VitrineError =>
  new VitrineError(
    "usage",
    `it is not clear which deliveries to ${kind}`,
    kind === "retry" ? "give numbers, --all, or --from" : "give numbers, or --all",
  );
