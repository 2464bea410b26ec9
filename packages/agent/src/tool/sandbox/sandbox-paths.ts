/** Which paths commands in the sandbox may write, and which they may not read. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  absolutePattern,
  escapedPath,
  isStaticPattern,
  type PatternPlace,
  plainPath,
} from "../permission/rule/path-pattern.js";
import type { Rule } from "../permission/rule/rule.js";
import type { RulePaths } from "./sandbox.js";

/** Whether the sandbox blocks only what matches a rule when a command starts, not files created later. */
export function closesOnlyExisting({ effect, target }: Rule): boolean {
  if (effect !== "deny" || target.kind !== "path" || target.action !== "write") return false;
  return target.pattern !== undefined && !isStaticPattern(target.pattern.replace(/(\/\*\*)+$/, ""));
}

/**
 * Keys and tokens in the user's home that no build needs. Those of package registries stay readable, because builds
 * need them.
 */
const KEY_FILES = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".kube",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".pypirc",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  ".local/share/opencode/auth.json",
  ".pi/agent/auth.json",
];

export interface SandboxPlace {
  /** Real path of the working directory. */
  readonly cwd: string;
  readonly home: string;
}

/** Those that exist, and Bough's own. */
export function keyFiles(home: string): readonly string[] {
  const userHome = homedir();
  return [join(home, "auth.json"), ...KEY_FILES.map((name) => join(userHome, name))].filter((path) => existsSync(path));
}

/**
 * Rules about files that also apply to commands: `edit(~/notes/**)` makes a folder writable, and deny rules block one.
 * An allow pattern works only for a folder with everything in it; a deny pattern blocks what matches when a command
 * starts.
 */
export function rulePaths(rules: readonly Rule[], place: PatternPlace): RulePaths {
  const paths = { write: [] as string[], denyWrite: [] as string[], denyRead: [] as string[] };
  for (const { effect, target } of rules) {
    if (target.kind !== "path" || target.tool !== undefined || effect === "ask") continue;
    if (target.pattern === undefined) {
      if (target.action === "write" && effect === "deny") paths.denyWrite.push(escapedPath(place.cwd));
      continue;
    }
    const path = absolutePattern(target.pattern, place);
    const folder = path.replace(/(\/\*\*)+$/, "");
    if (target.action === "read") {
      if (effect === "deny") paths.denyRead.push(isStaticPattern(folder) ? folder : path);
    } else if (effect === "deny") {
      paths.denyWrite.push(folder);
    } else if (isStaticPattern(folder) && folder !== "") {
      paths.write.push(plainPath(folder));
    }
  }
  return { ...paths, write: paths.write.filter(existsSync) };
}
