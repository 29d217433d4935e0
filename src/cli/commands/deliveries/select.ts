import { VitrineError } from "../../../errors.ts";
import { listConnections } from "../../../gateway/inbox/operate.ts";
import { optional, text } from "../../command-spec.ts";

export const connectionOption = optional("<name>", "connection; without it all", text);

/**
 * Selects connections by the option.
 * @param count `one` when numbers of deliveries are given, which each connection counts by itself
 * @throws VitrineError `unknown`, `usage`
 */
export const selectConnections = (
  dataDir: string,
  connection: string | undefined,
  count: "any" | "one" = "any",
): readonly string[] => {
  const names = listConnections(dataDir);
  if (connection !== undefined && !names.includes(connection)) {
    const existing = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    throw new VitrineError("unknown", `${dataDir} has no connection ${connection}: ${existing}`);
  }
  if (connection !== undefined) return [connection];
  if (count === "one" && names.length !== 1) {
    const hint =
      names.length === 0
        ? "start vitrine gateway first"
        : `give --connection, one of ${names.join(", ")}`;
    throw new VitrineError("usage", `the number is one of ${names.length} connections`, hint);
  }
  return names;
};
