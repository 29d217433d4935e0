import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { productBody } from "../../connectors/shopify/bodies.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { secret, sign } from "../../helpers/gateway.ts";
import { until } from "../../helpers/vitrine.ts";
import { type ConfinedSystemd, startSystemd } from "./confined-systemd.ts";
import { gatewayUnits, outputFile, vitrineUnits } from "./units.ts";

interface Context {
  readonly systemd: ConfinedSystemd;
  readonly port: number;
  readonly gatewayPort: number;
}

/** The units of the service and of the gateway, by systemd, with one data directory. */
const test = suite<Context>("deploy/systemd/vitrine-gateway.service");

const connections = {
  main: {
    platform: "shopify",
    url: "https://shop.example",
    currency: "EUR",
    secret: { env: "SHOPIFY_SECRET" },
  },
};

const configuration = "/opt/configuration";

/** Settings of the gateway, as /etc/vitrine-gateway.env has them. */
const environment = [`CONNECTIONS=${configuration}/connections.json`, `SHOPIFY_SECRET=${secret}`];

test.before(async (context) => {
  const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()]);
  const [port, opsPort, gatewayPort, gatewayOpsPort] = ports;
  const systemd = await startSystemd({
    units: {
      ...vitrineUnits({ port, opsPort, environment: [] }),
      ...gatewayUnits({ port: gatewayPort, opsPort: gatewayOpsPort, environment }),
    },
    releases: { "vitrine-1": packageRoot },
  });
  await systemd.run(
    [
      "ln -s vitrine-1 /opt/vitrine",
      `mkdir ${configuration}`,
      `echo '${JSON.stringify({ connections })}' > ${configuration}/connections.json`,
      "systemctl start vitrine.socket vitrine vitrine-gateway",
    ].join(" && "),
  );
  Object.assign(context, { systemd, port, gatewayPort });
});
test.after(({ systemd }) => systemd.stop());

const deliver = async (
  { gatewayPort }: Context,
  title: string,
  minute: number,
): Promise<number> => {
  const body = JSON.stringify(productBody({ title, updated_at: `2026-10-02T10:0${minute}:00Z` }));
  const headers = {
    "content-type": "application/json",
    "x-shopify-topic": "products/update",
    "x-shopify-hmac-sha256": sign(body),
  };
  const url = `http://127.0.0.1:${gatewayPort}/connections/main`;
  return (await fetch(url, { method: "POST", headers, body })).status;
};

const nameOf = async ({ port }: Context): Promise<string> => {
  const query = '{ product(id: "7") { product { name } } }';
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return answer.text();
};

/** Delivers a product, and waits until the service shows it. */
const mustShow = async (context: Context, title: string, minute: number): Promise<void> => {
  await until(
    () => deliver(context, title, minute),
    (status) => status === 200,
  );
  await until(
    () => nameOf(context),
    (answer) => answer.includes(title),
  ).catch(async () => {
    throw new Error(await context.systemd.run(`cat ${outputFile}`));
  });
};

test("a delivery to the gateway is shown by the service, also after a restart of both", async (context) => {
  await mustShow(context, "Tee of wool", 1);
  await context.systemd.run("systemctl restart vitrine-gateway");
  await mustShow(context, "Tee of silk", 2);
  await context.systemd.run("systemctl restart vitrine");
  await mustShow(context, "Tee of flax", 3);
});

test("both run as one user without rights", async ({ systemd }) => {
  const statuses: string[] = [];
  for (const unit of ["vitrine", "vitrine-gateway"]) {
    const pid = (await systemd.run(`systemctl show -p MainPID --value ${unit}`)).trim();
    statuses.push(await systemd.run(`cat /proc/${pid}/status`));
  }
  const users = statuses.map((status) => /^Uid:\s+(\d+)\s/m.exec(status)?.[1]);
  assert.match(String(users[0]), /^[1-9]\d+$/);
  assert.is(users[1], users[0]);
  for (const status of statuses) assert.match(status, /^CapEff:\s+0+$/m);
});

test.run();
