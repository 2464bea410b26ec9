/** Edits a text in the user's own editor. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface ExternalEditorOptions {
  /** The setting; wins over `VISUAL` and `EDITOR`. */
  readonly command?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function externalEditorCommand({ command, environment }: ExternalEditorOptions): string {
  const wanted = [command, environment.VISUAL, environment.EDITOR].find((one) => (one ?? "").trim() !== "");
  return wanted ?? (process.platform === "win32" ? "notepad" : "vi");
}

/**
 * Returns the saved text. Rejects if the editor could not be started or failed; then nothing changed. The file is
 * private and removed afterwards. The caller must release the terminal first.
 */
export async function writeInEditor(text: string, command: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bough-"));
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    await run(command, file);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uses the shell because the command may have arguments. The file name is a separate argument, never parsed. */
function run(command: string, file: string): Promise<void> {
  const child =
    process.platform === "win32"
      ? spawn(`${command} "${file}"`, { stdio: "inherit", shell: true })
      : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The editor (${command}) ended with ${code === null ? "a signal" : `code ${code}`}`));
    });
  });
}
