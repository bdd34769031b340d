import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Where the programs of the Go side are built. */
export const binaries = fileURLToPath(new URL("../build/bin/", import.meta.url));
mkdirSync(binaries, { recursive: true });

/** A registry that runs: the real program, on a free loopback port, with a store of its own. */
export interface RunningRegistry {
  url: string;
  adminKey: string;
  /** Ends it, and starts it again at the same address with the same store. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRegistry(settings: Record<string, string> = {}): Promise<RunningRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "skillregistry-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  const adminKey = "an-admin-key-that-only-tests-know-of";
  const start = async () => {
    const server = spawn(join(binaries, "skillregistry"), ["serve"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...process.env,
        SKILLREGISTRY_ADDR: new URL(url).host,
        SKILLREGISTRY_DATABASE_URL: `sqlite:${join(folder, "registry.db")}`,
        SKILLREGISTRY_ADMIN_KEY: adminKey,
        SKILLREGISTRY_RATE_LIMIT: "0",
        SKILLREGISTRY_LOG_LEVEL: "error",
        ...settings,
      },
    });
    await ready(server, url);
    return server;
  };
  let server = await start();
  return {
    url,
    adminKey,
    async restart() {
      await end(server);
      server = await start();
    },
    async stop() {
      await end(server);
      rmSync(folder, { recursive: true });
    },
  };
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  let said = "";
  server.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (let i = 0; i < 600; i++) {
    if (server.exitCode !== null) {
      throw new Error(`the registry did not start: ${said}`);
    }
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) {
      return;
    }
    await sleep(50);
  }
  server.kill("SIGKILL");
  throw new Error(`the registry was not ready in 30 s: ${said}`);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode === null) {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
