import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";
import { type Daemon, startDaemon } from "../../helpers/daemon.ts";
import { debianProgram } from "../../helpers/debian-programs.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";

/** Host name in the files of `deploy/`. */
export const hostName = "shop.example";

export interface RunningProxy extends Daemon {
  /** Port of TLS. */
  readonly port: number;
  readonly directory: string;
}

/** Ports that a proxy passes requests to. */
export interface Upstreams {
  readonly vitrine: number;
  readonly shop: number;
}

/** Replaces texts of a configuration, each of which must be there. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`the configuration has no "${from}"`);
    return filled.replaceAll(from, to);
  }, text);

const readDeploy = (name: string): string =>
  readFileSync(join(packageRoot, "deploy", name), "utf8");

/** Creates a certificate for the host name, signed by itself. */
const createCertificate = (directory: string): readonly [certificate: string, key: string] => {
  const files = [join(directory, "cert.pem"), join(directory, "key.pem")] as const;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", `/CN=${hostName}`, "-addext", `subjectAltName=DNS:${hostName}`];
  const output = ["-out", files[0], "-keyout", files[1]];
  execFileSync("openssl", ["req", "-x509", ...key, ...names, ...output], { stdio: "ignore" });
  return files;
};

/** Configuration around a site: what Debian has in /etc/nginx/nginx.conf. */
const nginxMain = (site: string): string => `
daemon off;
user root;
pid nginx.pid;
error_log stderr notice;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
${site}
}
`;

export interface NginxOptions {
  /** Changes the site before its addresses are filled in. */
  readonly edit?: (site: string) => string;
  /** Contents of a file that the server includes. */
  readonly serverSettings?: string;
  /** Returns further servers of the http context. */
  readonly extra?: (site: Site) => string;
}

/** What a further server may use of the site. */
export interface Site {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
}

/** Starts nginx with `deploy/nginx.conf`, with the addresses of a test in place of those of the file. */
export const startNginx = async (
  { vitrine, shop }: Partial<Upstreams> & Pick<Upstreams, "shop">,
  { edit = (site) => site, serverSettings, extra = () => "" }: NginxOptions = {},
): Promise<RunningProxy> => {
  const directory = temporaryDirectory().path;
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const [certificate, key] = createCertificate(directory);
  const site = fill(edit(readDeploy("nginx.conf")), {
    ...(vitrine !== undefined && { "server 127.0.0.1:8080;": `server 127.0.0.1:${vitrine};` }),
    "server 127.0.0.1:8000;": `server 127.0.0.1:${shop};`,
    "listen 80;": `listen 127.0.0.1:${plainPort};`,
    "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
    "/etc/ssl/shop.example/fullchain.pem": certificate,
    "/etc/ssl/shop.example/privkey.pem": key,
    "/var/cache/nginx-vitrine": join(directory, "cache"),
    "/etc/nginx/vitrine-replicas-server*.conf": join(directory, "replicas-server*.conf"),
  });
  if (serverSettings !== undefined)
    writeFileSync(join(directory, "replicas-server.conf"), serverSettings);
  const file = join(directory, "nginx.conf");
  writeFileSync(file, nginxMain(site + extra({ port, certificate, key })));
  const args = ["-p", directory, "-c", file, "-e", "stderr"];
  return { ...(await startDaemon(debianProgram("nginx"), args, port)), port, directory };
};

/**
 * Starts Caddy with `deploy/Caddyfile`, with a certificate and ports of the test.
 * @param edit changes the site before its addresses are filled in
 */
export const startCaddy = async (
  { vitrine, shop }: Upstreams,
  edit: (site: string) => string = (site) => site,
): Promise<RunningProxy> => {
  const directory = temporaryDirectory().path;
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const [certificate, key] = createCertificate(directory);
  const site = fill(edit(readDeploy("Caddyfile")), {
    "{$HOST_NAME:shop.example} {": `https://shop.example:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}\n`,
  });
  const options = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n\tauto_https disable_redirects\n}\n`;
  const file = join(directory, "Caddyfile");
  writeFileSync(file, options + site);
  const env = {
    VITRINE: `127.0.0.1:${vitrine}`,
    SHOP: `127.0.0.1:${shop}`,
    HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_CONFIG_HOME: directory,
  };
  const args = ["run", "--config", file, "--adapter", "caddyfile"];
  return { ...(await startDaemon(debianProgram("caddy"), args, port, { env })), port, directory };
};
