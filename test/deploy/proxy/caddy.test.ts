import { proxySuite } from "./proxy-suite.ts";
import { startCaddy } from "./start-proxy.ts";

proxySuite("deploy/Caddyfile", (upstreams) => startCaddy(upstreams));
