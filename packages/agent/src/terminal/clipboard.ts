/** Copies text through the terminal, and with the system's clipboard program if there is one. */
import { spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";

interface ClipboardOptions {
  readonly write: (data: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** Terminals drop longer texts. */
const MOST_BYTES = 74_000;

export function copyText(text: string, { write, env, platform }: ClipboardOptions): void {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= MOST_BYTES) write(`\x1b]52;c;${bytes.toString("base64")}\x07`);
  const program = clipboardProgram(env, platform);
  if (program === undefined) return;
  const [command = "", ...args] = program;
  const child = startProgram({ program: command }, (found) =>
    spawn(found, args, { stdio: ["pipe", "ignore", "ignore"] }),
  );
  // Not installed, or exited before it read everything: the terminal still has its copy.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(bytes);
}

/** None over SSH, where the program would copy to the remote machine's clipboard. */
export function clipboardProgram(env: ClipboardOptions["env"], platform: string): readonly string[] | undefined {
  if (env.SSH_TTY !== undefined || env.SSH_CONNECTION !== undefined) return undefined;
  if (platform === "darwin") return ["pbcopy"];
  if (platform === "win32") return ["clip"];
  if ((env.WAYLAND_DISPLAY ?? "") !== "") return ["wl-copy"];
  if ((env.DISPLAY ?? "") !== "") return ["xclip", "-selection", "clipboard"];
  return undefined;
}
