/**
 * The sandbox of a session: rules decide which paths and hosts are allowed, and the user is asked about other hosts.
 */
import { homedir } from "node:os";
import type { EventHub } from "@bough/agent/agent/internal.js";
import { openSandbox, type Permissions, rulePaths, type Sandbox } from "@bough/agent/tool/index.js";
import { sandboxNotice } from "../../command/index.js";

interface StartSandboxOptions {
  readonly cwd: string;
  readonly home: string;
  readonly relay: EventHub;
  /** A function, because permissions depend on the sandbox in turn. */
  readonly permissions: () => Permissions;
}

/** Starts in the background; the first command waits for it. If it does not work, that is reported once. */
export function commandSandbox({ cwd, home, relay, permissions }: StartSandboxOptions): Sandbox {
  const sandbox = openSandbox({
    cwd,
    home,
    allowHost: async ({ host, port }) => {
      const scheme = port === 443 ? "https" : "http";
      const shown = port === undefined || port === 443 || port === 80 ? host : `${host}:${port}`;
      const { allowed } = await permissions().permit({
        tool: "bash",
        action: "fetch",
        target: `${scheme}://${shown}/`,
        note: "A command in the sandbox wants to connect to this host.",
      });
      return allowed;
    },
    paths: () => rulePaths(permissions().rules, { cwd, userHome: homedir() }),
  });
  void sandbox.ready().then((state) => {
    if (state.kind === "unavailable") relay.notice("warning", sandboxNotice(state));
  });
  return sandbox;
}
