/** supergateway, from Streamable HTTP to standard input and output. */
import { fileURLToPath } from "node:url";
import { testToolsClient } from "./scenario.ts";
import { connectBridge } from "./stdio-bridge.ts";

const program = fileURLToPath(import.meta.resolve("supergateway/dist/index.js"));

testToolsClient("supergateway", (url, { Authorization = "" }) =>
  connectBridge([program, "--streamableHttp", url, "--header", `Authorization: ${Authorization}`]),
);
