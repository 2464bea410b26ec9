/** The sandbox on macOS: `sandbox-exec`, and a proxy on a port of its own for each command. */
import { existsSync } from "node:fs";
import { shellWord } from "@bough/session/text/index.js";
import { commandShell } from "../process/command-shell.js";
import { proxyVariables } from "./bubblewrap.js";
import { hostProxy } from "./host-proxy.js";
import type { Engine, StartCommand, StartedCommand } from "./sandbox-engine.js";
import type { Found } from "./sandbox-programs.js";
import { seatbeltProfile } from "./seatbelt-profile.js";

const PROGRAM = "/usr/bin/sandbox-exec";

export function macEngine(): Found<Engine> {
  if (!existsSync(PROGRAM)) {
    return { kind: "problem", reason: `${PROGRAM} is missing`, fix: "It is part of macOS: check the installation." };
  }
  const explain = (said: string) => ({
    reason: said.trim().split("\n")[0] || "a command inside it failed without a message",
    fix: `Run \`${PROGRAM} -p '(version 1)(allow default)' true\` to see what this system forbids.`,
  });
  return { kind: "found", programs: { start: startInSeatbelt, explain } };
}

async function startInSeatbelt({ plan, command, temporary, allow }: StartCommand): Promise<StartedCommand> {
  const proxy = hostProxy({ allow });
  await proxy.listen({ port: 0, host: "127.0.0.1" });
  const port = proxy.port();
  if (port === undefined) throw new Error("bug: the proxy has no port");
  const variables = [["TMPDIR", temporary] as const, ...proxyVariables(port)].map(
    ([name, value]) => `${name}=${value}`,
  );
  const words = [PROGRAM, "-p", seatbeltProfile(plan, port), "/usr/bin/env", ...variables];
  const line = `exec ${[...words, commandShell().program, "-c", command].map(shellWord).join(" ")}`;
  return { line, ended: async () => undefined, hasRun: () => true, problem: () => "", close: proxy.close };
}
