import { proxySuite } from "./proxy-suite.ts";
import { startNginx } from "./start-proxy.ts";

proxySuite("deploy/nginx.conf", startNginx, ["--shared-max-age", "60"]);
