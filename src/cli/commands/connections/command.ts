import { json } from "../../command-spec.ts";
import { defineCommand } from "../../define-command.ts";
import { colours, formatCount, formatSize, print } from "../../terminal/output.ts";
import { formatFields, formatTable } from "../../terminal/table.ts";
import type { Missing } from "./missing.ts";
import { type ConnectionReport, readReport } from "./read.ts";

export const connectionsCommand = defineCommand({
  settings: ["connections", "dataDir"],
  options: { json },
  examples: ["vitrine connections", "vitrine connections --connections connections.json --json"],
  notes: `Shows what each connection took and published, what waits for the gateway or the operator, and what is missing with
the step that mends it. A topic that never arrived may be subscribed all the same. Reads no secret, and works
beside a running gateway.`,
  async run({ config }) {
    const report = await readReport(config);
    return {
      json: report,
      show() {
        for (const connection of report.connections) showConnection(connection);
        if (report.connections.length === 0) print(`${config.connections} has no connection`);
        if (report.shop.missing.length > 0) print(colours.bold("shop"));
        showMissing(report.shop.missing);
      },
    };
  },
});

const showConnection = (connection: ConnectionReport): void => {
  const { name, platform, topics, events, refused, leftOut, waiting, missing } = connection;
  print(`${colours.bold(name)}  ${platform ?? "not in the file of connections"}`);
  const rows = topics.map((row) => [
    row.topic,
    ...[row.translated, row.ignored, row.refused].map(String),
    row.lastAt,
  ]);
  const head = ["topic", "translated", "ignored", "refused", "last"];
  for (const line of rows.length > 0 ? formatTable(head, rows) : []) print(line);
  const size = `${formatCount(waiting.deliveries, "delivery", "deliveries")}, ${formatSize(waiting.bytes)}`;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["events", String(events)],
    ["refused", refused > 0 ? `${refused}: vitrine deliveries list --connection ${name}` : "0"],
    ["left out", leftOut.map(({ member, count }) => `${member} ${count}`).join(", ") || undefined],
    ["waiting", waiting.deliveries > 0 ? size : "0"],
  ];
  for (const line of formatFields(fields, "  ")) print(line);
  showMissing(missing);
  print("");
};

const showMissing = (missing: readonly Missing[]): void => {
  for (const { what, step } of missing) {
    print(`${colours.yellow("missing")}  ${what}`);
    print(`         -> ${step}`);
  }
};
