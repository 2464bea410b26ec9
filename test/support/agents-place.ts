/** A place where the scripted agent is installed as pi, in a folder on PATH, and no other agent is. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePlace } from "../scenario/cli-support.js";
import { tempFolder } from "./temp-folder.js";

const SCRIPTED = fileURLToPath(new URL("scripted-agent.mjs", import.meta.url));

/** `habits` are those of the scripted agent. `pi`, its login, leaves a file that the habit `login` looks for. */
export function agentsPlace(habits = "") {
  const folder = tempFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = (name: string, line: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("pi-acp", `SCRIPTED_AGENT="${habits}" exec "${process.execPath}" "${SCRIPTED}"`);
  program("pi", 'echo "Logging in"; touch "$HOME/logged-in"');
  const place = makePlace({ folder, env: { PATH: [bin, "/usr/bin", "/bin"].join(delimiter) } });
  return { place, folder };
}

/** A prompt for the scripted agent. */
export const steps = (...all: readonly (readonly unknown[])[]): string => JSON.stringify(all);
