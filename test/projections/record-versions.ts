import { recordVersions } from "./projection-code.ts";

recordVersions();
