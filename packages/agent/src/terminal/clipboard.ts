/** Copying: through the terminal, and through the system's own program where there is one. */
import { spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";

interface ClipboardOptions {
  readonly write: (data: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** Terminals drop what is longer. */
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
  // Not installed, or ended before it read everything: the terminal has had its copy.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(bytes);
}

/** Over a network the program would copy on the other machine. */
export function clipboardProgram(env: ClipboardOptions["env"], platform: string): readonly string[] | undefined {
  if (env.SSH_TTY !== undefined || env.SSH_CONNECTION !== undefined) return undefined;
  if (platform === "darwin") return ["pbcopy"];
  if (platform === "win32") return ["clip"];
  if ((env.WAYLAND_DISPLAY ?? "") !== "") return ["wl-copy"];
  if ((env.DISPLAY ?? "") !== "") return ["xclip", "-selection", "clipboard"];
  return undefined;
}
