/** Adds and loads the AppArmor profile that lets bwrap, and no other program, create user namespaces. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "@bough/session/text/index.js";
import { CliError } from "../../cli-error.js";
import { PROFILE, PROFILE_FILE } from "./system-needs.js";

interface ProfileOptions {
  /** Without it, `sudo` asks for a password on the terminal. */
  readonly isSuperuser: boolean;
  readonly root?: string;
}

/** An existing profile is loaded as it is, never replaced. Throws `no-sandbox` if it cannot be written or loaded. */
export function addProfile(state: "present" | "missing", { isSuperuser, root = "/" }: ProfileOptions): void {
  const file = join(root, PROFILE_FILE);
  if (state === "missing") {
    if (isSuperuser) writeProfile(file);
    else runAs(["sudo", "tee", file], { what: `write ${file}`, input: PROFILE });
  }
  const load = ["apparmor_parser", "-r", file];
  runAs(isSuperuser ? load : ["sudo", ...load], { what: `load ${file}` });
}

function writeProfile(file: string): void {
  try {
    writeFileSync(file, PROFILE, { flag: "wx", mode: 0o644 });
  } catch (error) {
    throw failed(`Could not write ${file}: ${errorText(error)}`);
  }
}

interface Step {
  readonly what: string;
  readonly input?: string;
}

function runAs([program = "", ...args]: readonly string[], { what, input }: Step): void {
  const { status, error } = spawnSync(program, args, {
    input,
    stdio: [input === undefined ? "inherit" : "pipe", 2, 2],
  });
  if (status === 0) return;
  throw failed(`Could not ${what}: ${error === undefined ? `${program} ended with ${status}` : errorText(error)}`);
}

function failed(message: string): CliError {
  return new CliError("no-sandbox", message, { hint: "See The sandbox in docs/permissions.md." });
}
