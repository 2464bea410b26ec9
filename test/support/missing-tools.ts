/** Says before the tests which optional programs are missing: the tests that need one are skipped, and nowhere else is that seen. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Each with Debian's package for it, and a file where it is not on PATH. */
const OPTIONAL: readonly { readonly names: readonly string[]; readonly install: string; readonly file?: string }[] = [
  { names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"], install: "chromium" },
  { names: ["initdb"], install: "postgresql", file: "/usr/lib/postgresql" },
  { names: ["git"], install: "git" },
  { names: ["rg"], install: "ripgrep" },
  { names: ["bwrap"], install: "bubblewrap" },
  { names: ["socat"], install: "socat" },
  { names: ["curl"], install: "curl" },
  { names: ["zsh"], install: "zsh" },
  { names: ["fish"], install: "fish" },
  { names: ["zstd"], install: "zstd" },
];

export default function setup(): void {
  const missing = OPTIONAL.filter(
    ({ names, file }) => !(file !== undefined && existsSync(file)) && !names.some(isOnPath),
  );
  if (missing.length === 0) return;
  const packages = missing.map(({ install }) => install).join(" ");
  console.warn(`Tests that need these are skipped: ${packages}. To run them too: apt-get install ${packages}`);
}

/** Whether a program can be started by this name. */
export function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
