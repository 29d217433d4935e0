import { proxySuite } from "./proxy-suite.ts";
import { fill, startNginx } from "./start-proxy.ts";

const withoutCache = (site: string): string =>
  fill(site, { "default vitrine_cache;": "default off;" });

proxySuite("deploy/nginx.conf without its cache", (upstreams) =>
  startNginx(upstreams, { edit: withoutCache }),
);
