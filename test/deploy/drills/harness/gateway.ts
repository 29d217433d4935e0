/** A gateway beside the installation of a drill, with one connection to Shopify. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../../helpers/free-port.ts";
import { secret, sign } from "../../../helpers/gateway.ts";
import { until } from "../../../helpers/vitrine.ts";
import type { Drill } from "./drill.ts";
import type { Installation } from "./installation.ts";
import type { Started } from "./shell.ts";

export interface GatewayDrill {
  readonly shop: Installation;
  /** Starts the gateway by a command that is not in the runbook. @param env further settings */
  start(env?: Readonly<Record<string, string>>): Promise<Started>;
  /** Sends a webhook. @returns the status and the body of the answer, which the drill observes */
  send(topic: string, body: object, key?: string): Promise<{ status: number; text: string }>;
  /** Reads the ops port, and lets the drill observe it. */
  ops(path: string): Promise<{ status: number; text: string }>;
}

/** Secret that the environment of the gateway has in place of the one of the platform, after a rotation. */
export const nextSecret = "hush-hush";

const connection = {
  platform: "shopify",
  url: "https://shop.example",
  currency: "EUR",
  secret: { env: "SHOPIFY_SECRET" },
};

/** Writes the file of connections. @param members in place of those of the connection */
export const writeConnections = ({ directory }: Installation, members: object = {}): void => {
  const connections = { main: { ...connection, ...members } };
  writeFileSync(join(directory, "connections.json"), JSON.stringify({ connections }));
};

/**
 * @param events address of the log; the journal by default
 * @param env further settings
 */
export const installWithGateway = async (
  drill: Drill,
  events?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayDrill> => {
  const [port, opsPort] = [String(await findFreePort()), String(await findFreePort())];
  const ports = { GATEWAY_PORT: port, GATEWAY_OPS_PORT: opsPort };
  const shop = await drill.install({
    env: { ...ports, SHOPIFY_SECRET: secret, SHOPIFY_SECRET_NEW: nextSecret, ...env },
    ...(events !== undefined && { events }),
  });
  writeConnections(shop);
  const read = async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, init);
    const text = await answer.text();
    drill.observe(text);
    return { status: answer.status, text };
  };
  const ops: GatewayDrill["ops"] = (path) => read(`http://127.0.0.1:${opsPort}${path}`);
  return {
    shop,
    ops,
    async start(further = {}) {
      const shell = { directory: shop.directory, env: { ...shop.env, ...further } };
      const started = drill.background("vitrine gateway", shell);
      await until(
        () => ops("/healthz"),
        ({ status }) => status === 200,
      );
      return started;
    },
    send(topic, body, key = secret) {
      const text = JSON.stringify(body);
      return read(`http://127.0.0.1:${port}/connections/main`, {
        method: "POST",
        body: text,
        headers: {
          "content-type": "application/json",
          "x-shopify-topic": topic,
          "x-shopify-hmac-sha256": sign(text, key),
        },
      });
    },
  };
};
