import { isUtf8 } from "node:buffer";
import { VitrineError } from "../../../errors.ts";
import { findDelivery, listRefused } from "../../../gateway/inbox/operate.ts";
import { argument, integerFrom, json, withDefault } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import type { DataConfig } from "../../shared-options.ts";
import { colours, formatCount, print } from "../../terminal/output.ts";
import { formatEventLine, formatFields } from "../../terminal/table.ts";
import { connectionOption, selectConnections } from "./select.ts";

export const listCommand = defineCommand({
  settings: ["dataDir"],
  options: {
    connection: connectionOption,
    limit: withDefault(20, "<n>", "maximum number of deliveries", integerFrom(1)),
    json,
  },
  examples: ["vitrine deliveries list", "vitrine deliveries list --connection main --limit 100"],
  run: ({ config, options }) => list(config, options.connection, options.limit),
});

const list = async (
  { dataDir }: DataConfig,
  connection: string | undefined,
  limit: number,
): Promise<Report> => {
  const names = selectConnections(dataDir, connection);
  const lists = await Promise.all(names.map((name) => listRefused(dataDir, name)));
  const all = lists.flat().sort((one, other) => (one.at < other.at ? 1 : -1));
  const refused = all.slice(0, limit);
  return {
    json: { refused, total: all.length },
    show() {
      for (const { connection: name, delivery, arrivedAt, topic, reason } of refused) {
        print(formatEventLine(delivery, colours.dim(arrivedAt), `${name}  ${topic}  ${reason}`));
      }
      const shown = refused.length < all.length ? `, the newest ${refused.length} shown` : "";
      print(`${formatCount(all.length, "refused delivery", "refused deliveries")}${shown}`);
    },
  };
};

export const showCommand = defineCommand({
  settings: ["dataDir"],
  argument: argument("<delivery>", "number of the delivery", integerFrom(1)),
  options: { connection: connectionOption, json },
  examples: ["vitrine deliveries show 17", "vitrine deliveries show 17 --connection main"],
  run: ({ config, argument: delivery, options }) =>
    show(config.dataDir, options.connection, delivery),
});

const show = async (
  dataDir: string,
  option: string | undefined,
  delivery: number,
): Promise<Report> => {
  const [connection = ""] = selectConnections(dataDir, option, "one");
  const found = await findDelivery(dataDir, connection, delivery);
  if (!found) {
    throw new VitrineError(
      "unknown",
      `connection ${connection} has no delivery ${delivery}`,
      "vitrine deliveries list shows those that were refused; others are kept for 7 days",
    );
  }
  const { topic, arrivedAt, headers, bytes, refused, body } = found;
  const content = body && (isUtf8(body) ? body.toString() : body.toString("base64"));
  return {
    json: {
      connection,
      delivery,
      topic,
      arrivedAt,
      headers,
      bytes,
      refused: refused ?? null,
      body: content ?? null,
    },
    show() {
      const fields: readonly (readonly [string, string | undefined])[] = [
        ...([
          ["connection", connection],
          ["delivery", String(delivery)],
          ["topic", topic],
        ] as const),
        ["arrived", arrivedAt],
        ["refused", refused?.reason],
        ...Object.entries(headers),
        ["body", body ? formatCount(bytes, "byte") : "removed for its age or for room"],
      ];
      for (const line of formatFields(fields)) print(line);
      if (content !== undefined) print(content);
    },
  };
};
