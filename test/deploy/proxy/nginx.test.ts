import { proxySuite } from "./proxy-suite.ts";
import { fill, startNginx } from "./start-proxy.ts";

const withoutCache = (site: string): string => fill(site, { '"" vitrine_cache;': '"" off;' });

proxySuite("deploy/nginx.conf without its cache", (upstreams) =>
  startNginx(upstreams, { edit: withoutCache }),
);
