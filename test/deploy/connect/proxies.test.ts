/** The settings for nginx and Caddy of `deploy/connect`, in the sites of `deploy`, before a gateway that runs by its command. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { debianProgram } from "../../helpers/debian-programs.ts";
import { readEvents } from "../../helpers/gateway.ts";
import { until } from "../../helpers/vitrine.ts";
import { type HttpsClient, openClient } from "../proxy/https-client.ts";
import { fill, hostName, type RunningProxy, startCaddy, startNginx } from "../proxy/start-proxy.ts";
import { type SignedDelivery, signedDeliveries } from "./deliveries.ts";
import { blocksOf } from "./guides.ts";
import { type RunningGateway, startGatewayOfGuides } from "./running-gateway.ts";

interface Context {
  readonly gateway: RunningGateway;
}

interface Proxy {
  readonly name: string;
  /** Number that no other delivery has. */
  readonly round: number;
  start(gateway: RunningGateway): Promise<RunningProxy>;
  /** Program and arguments that check the configuration. */
  check(directory: string): readonly [program: string, ...args: readonly string[]];
}

/** Nothing listens there: the tests send deliveries alone. */
const upstreams = { vitrine: 1, shop: 1 };

/** Reads the settings of the guides, with the port of a gateway. */
const readSettings = (info: string, { port }: RunningGateway): string =>
  fill(blocksOf("README.md", info).join("\n"), { "127.0.0.1:8090": `127.0.0.1:${port}` });

const proxies: readonly Proxy[] = [
  {
    name: "nginx",
    round: 1,
    start: (gateway) =>
      startNginx(upstreams, {
        edit: (site) =>
          fill(site, { "  location / {": `${readSettings("nginx", gateway)}\n  location / {` }),
      }),
    check: (directory) => [
      debianProgram("nginx"),
      ...["-t", "-p", directory, "-c", join(directory, "nginx.conf"), "-e", "stderr"],
    ],
  },
  {
    name: "Caddy",
    round: 2,
    start: (gateway) =>
      startCaddy(upstreams, (site) =>
        fill(site, { "\t@agents path": `${readSettings("caddyfile", gateway)}\n\t@agents path` }),
      ),
    check: (directory) => [
      debianProgram("caddy"),
      ...["validate", "--config", join(directory, "Caddyfile"), "--adapter", "caddyfile"],
    ],
  },
];

const test = suite<Context>("proxies of deploy/connect");
test.before(async (context) => {
  Object.assign(context, { gateway: await startGatewayOfGuides() });
});
test.after(async ({ gateway }) => {
  await gateway.stop();
});

for (const { name, round, start, check } of proxies) {
  test(`${name} accepts the settings, and passes a signed delivery of each platform on`, async ({
    gateway,
  }) => {
    const proxy = await start(gateway);
    const [program, ...args] = check(proxy.directory);
    const checked = spawnSync(program, args, { encoding: "utf8", env: environment(proxy) });
    assert.is(checked.status, 0, checked.stdout + checked.stderr);
    const client = await openClient(proxy.port, hostName);
    for (const delivery of signedDeliveries(round)) await mustBeTaken(client, delivery);
    await mustBePublished(gateway, [`Tee ${round}`, `Mug ${round}`, `Hemd ${round}`]);
    await mustRefuse(client, signedDeliveries(round)[0]);
    mustAnswerPing(proxy);
    client.close();
    await proxy.stop();
  });
}

const environment = ({ directory }: RunningProxy): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
});

const post = (client: HttpsClient, { path, headers, body }: SignedDelivery) =>
  client.send(path, { ":method": "POST", ...headers }, body);

const mustBeTaken = async (client: HttpsClient, delivery: SignedDelivery): Promise<void> => {
  const { status, body } = await post(client, delivery);
  assert.is(status, 200, `${delivery.path} ${body}`);
  assert.type(JSON.parse(body.toString()).delivery, "number");
};

/** Waits until the log has products with names. */
const mustBePublished = async (
  { home }: RunningGateway,
  names: readonly string[],
): Promise<void> => {
  await until(
    async () => JSON.stringify(await readEvents(home.dataDir)),
    (events) => names.every((name) => events.includes(`"${name}"`)),
  );
};

const mustRefuse = async (
  client: HttpsClient,
  delivery: SignedDelivery | undefined,
): Promise<void> => {
  if (!delivery) throw new Error("there is no delivery");
  assert.is((await post(client, { ...delivery, body: `${delivery.body} ` })).status, 401);
  const large = `"${"x".repeat(8 * 1024 * 1024)}"`;
  assert.is((await post(client, { ...delivery, body: large })).status, 413);
};

/** WooCommerce speaks HTTP/1.0, and checks an address by a form that it does not sign. */
const mustAnswerPing = ({ port }: RunningProxy): void => {
  const address = [
    "--resolve",
    `${hostName}:${port}:127.0.0.1`,
    "--insecure",
    "--http1.0",
    "--no-alpn",
  ];
  const url = `https://${hostName}:${port}/connections/woo`;
  const args = ["-sS", "--fail", ...address, "--data", "webhook_id=1", url];
  assert.is(execFileSync("curl", args, { encoding: "utf8" }), '{"delivery":null}');
};

test.run();
