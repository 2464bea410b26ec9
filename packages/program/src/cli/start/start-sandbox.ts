/**
 * The sandbox of a session: rules decide which paths and hosts are allowed, and the user is asked about other hosts.
 */
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { EventHub } from "@bough/agent/agent/internal.js";
import { localSettingsFile, type SandboxChoice } from "@bough/agent/project/index.js";
import { isOwnLocalText } from "@bough/agent/project/internal.js";
import { openSandbox, type Permissions, rulePaths, type Sandbox } from "@bough/agent/tool/index.js";
import { sandboxNotice } from "../../command/door.js";

interface StartSandboxOptions {
  readonly cwd: string;
  readonly home: string;
  readonly relay: EventHub;
  /** As in the settings; `~` is the user's home. */
  readonly sockets: readonly string[] | undefined;
  /** A function, because permissions depend on the sandbox in turn. */
  readonly permissions: () => Permissions;
}

interface SandboxRequest {
  /** From the command line. */
  readonly flag: SandboxChoice | undefined;
  readonly setting: SandboxChoice | undefined;
  /** What applies without either. */
  readonly standard: SandboxChoice;
}

/** Whether commands are sandboxed in every mode, in mode `auto`, or never. */
export function sandboxedModes({ flag, setting, standard }: SandboxRequest): "always" | "auto" | "never" {
  const choice = flag ?? setting ?? standard;
  return choice === "on" ? "always" : choice === "off" ? "never" : "auto";
}

/**
 * Starts in the background when it is first needed; the first command waits for it. If it does not work, that is
 * reported once.
 */
export function commandSandbox(options: StartSandboxOptions): Sandbox {
  let opened: Sandbox | undefined;
  const open = (): Sandbox => {
    opened ??= announced(options);
    return opened;
  };
  return {
    get state() {
      return opened?.state;
    },
    ready: () => open().ready(),
    wrap: (command, wrapping) => open().wrap(command, wrapping),
    putBack: (moved) => open().putBack(moved),
    close: async () => opened?.close(),
  };
}

function announced({ cwd, home, relay, sockets = [], permissions }: StartSandboxOptions): Sandbox {
  const userHome = homedir();
  const sandbox = openSandbox({
    cwd,
    home,
    sockets: socketPaths(sockets),
    allowHost: async ({ host, port, callId }) => {
      const scheme = port === 443 ? "https" : "http";
      const name = host.includes(":") ? `[${host}]` : host;
      const shown = port === undefined || port === 443 || port === 80 ? name : `${name}:${port}`;
      const target = `${scheme}://${shown}/`;
      const { allowed } = await permissions().permit({ tool: "bash", action: "fetch", target, callId });
      return allowed;
    },
    // A rule that the user keeps while a command runs.
    isOwn: (path) =>
      path === localSettingsFile(realpathSync(cwd)) && isOwnLocalText(readFileSync(path, "utf8"), { cwd, home }),
    paths: () => rulePaths(permissions().rules, { cwd, userHome }),
  });
  void sandbox.ready().then((state) => {
    if (state.kind === "unavailable") relay.notice("warning", sandboxNotice(state));
  });
  return sandbox;
}

/** Absolute, for `~/` in settings. */
export function socketPaths(sockets: readonly string[]): readonly string[] {
  return sockets.map((path) => (path.startsWith("~") ? join(homedir(), path.slice(1)) : path));
}
