/**
 * Runs a real systemd as process 1 of a process namespace, with the units of a test alone. Its /run, /tmp, /var/lib and /opt are its own,
 * so it changes nothing on the machine. It shares the network, so that a test reaches the services on loopback.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { packageRoot } from "../../../src/package-info.ts";
import { installOnDebian } from "../../helpers/debian.ts";

const execute = promisify(execFile);

const systemdProgram = "/lib/systemd/systemd";

/** Targets that units depend on by default. Those of the machine would start its services, and one of them empties /tmp. */
const targets = ["sysinit", "basic", "shutdown", "sockets", "network-online", "umount", "final"];

export interface ConfinedSystemd {
  /** Directory of units, in place of /etc/systemd/system. */
  readonly unitPath: string;
  /** Runs a shell command among its processes, as root. @returns standard output and standard error */
  run(command: string): Promise<string>;
  stop(): Promise<void>;
}

export interface ConfinedSystemdOptions {
  /** Contents of unit files and drop-ins, by path below the directory of units. */
  readonly units: Readonly<Record<string, string>>;
  /** Directories that it sees below /opt, read-only, by name. */
  readonly releases: Readonly<Record<string, string>>;
}

/** @throws an Error when systemd does not start, for example because this user may not create namespaces */
export const startSystemd = async ({
  units,
  releases,
}: ConfinedSystemdOptions): Promise<ConfinedSystemd> => {
  if (!existsSync(systemdProgram)) installOnDebian("systemd");
  // Outside of /tmp, which it does not see.
  const directory = mkdtempSync("/dev/shm/vitrine-systemd-");
  const unitPath = join(directory, "units");
  const stubs = targets.map((name) => [`${name}.target`, "[Unit]\nDefaultDependencies=no\n"]);
  for (const [path, text] of [...stubs, ...Object.entries(units)] as [string, string][]) {
    mkdirSync(join(unitPath, path, ".."), { recursive: true });
    writeFileSync(join(unitPath, path), text);
  }
  const script = join(directory, "start.sh");
  writeFileSync(script, startScript(directory, unitPath, releases));
  const namespaces = [
    "--pid",
    "--fork",
    "--kill-child",
    "--mount",
    "--mount-proc",
    "--uts",
    "--ipc",
  ];
  const child = spawn("unshare", [...namespaces, "--cgroup", "bash", script], { stdio: "ignore" });
  const ended = once(child, "exit");
  const kill = () => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  };
  process.on("exit", kill);
  // Never blocks, because the event loop of the test also sends the requests of its load.
  const run = async (command: string): Promise<string> => {
    const { stdout: process1 } = await execute("pgrep", ["-P", String(child.pid)]);
    const into = ["-t", process1.trim(), "-m", "-p", "-C", "bash", "-c", `(${command}) 2>&1`];
    return (await execute("nsenter", into)).stdout;
  };
  await waitUntilRunning(run);
  return {
    unitPath,
    run,
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
    },
  };
};

/** A built version has no packages of its own. The package may be in /tmp, which is hidden. */
const mountRelease = (name: string, path: string): string => `mkdir /opt/${name}
mount --bind ${path} /opt/${name}
mount --bind /run/package/node_modules /opt/${name}/node_modules`;

const startScript = (
  directory: string,
  unitPath: string,
  releases: Readonly<Record<string, string>>,
): string => `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir /run/package
mount --bind ${packageRoot} /run/package
mount -t tmpfs tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /var/lib
mount -t tmpfs -o mode=755 tmpfs /opt
touch ${directory}/console
mount --bind ${directory}/console /dev/console
mount -t tmpfs tmpfs /sys/fs/cgroup
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd systemd /sys/fs/cgroup/systemd
${Object.entries(releases)
  .map(([name, path]) => mountRelease(name, path === packageRoot ? "/run/package" : path))
  .join("\n")}
exec env container=docker SYSTEMD_UNIT_PATH=${unitPath} SYSTEMD_GENERATOR_PATH=/nonexistent \\
  SYSTEMD_ENVIRONMENT_GENERATOR_PATH=/nonexistent ${systemdProgram} --system --unit=basic.target
`;

const waitUntilRunning = async (run: ConfinedSystemd["run"]): Promise<void> => {
  for (const end = performance.now() + 10_000; ; await delay(50)) {
    try {
      if ((await run("systemctl is-system-running")).trim() === "running") return;
    } catch (error) {
      // systemctl fails until systemd listens.
      if (performance.now() > end) throw error;
    }
    if (performance.now() > end) throw new Error("systemd did not start within 10 seconds");
  }
};
