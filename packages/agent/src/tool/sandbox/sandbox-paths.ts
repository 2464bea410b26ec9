/** Which paths commands in the sandbox may write, and which they may not read. */
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { absolutePattern, isStaticPattern, type PatternPlace, plainPath } from "../permission/rule/path-pattern.js";
import type { Rule } from "../permission/rule/rule.js";
import { existingMatches } from "./existing-matches.js";
import type { RulePaths } from "./sandbox.js";

/** Whether the sandbox closes only what matches a rule when a command starts, and not files that it creates. */
export function closesOnlyExisting({ effect, target }: Rule): boolean {
  if (effect !== "deny" || target.kind !== "path" || target.action !== "write") return false;
  return target.pattern !== undefined && !isStaticPattern(target.pattern.replace(/(\/\*\*)+$/, ""));
}

/** Keys and tokens in a user's home that no build needs. Those of package registries are: they stay readable. */
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

/** Code that runs later, outside: not written even inside the working directory. */
const RUN_LATER = [".git/hooks", ".git/config"];

export interface SandboxPlace {
  /** Real path of the working directory. */
  readonly cwd: string;
  readonly home: string;
}

export interface SandboxPaths {
  readonly allowWrite: string[];
  readonly denyWrite: string[];
  readonly denyRead: string[];
}

export function sandboxPaths({ cwd, home }: SandboxPlace, rules: RulePaths): SandboxPaths {
  const userHome = homedir();
  const keys = [join(home, "auth.json"), ...KEY_FILES.map((name) => join(userHome, name))].filter(existsSync);
  return {
    allowWrite: [...new Set([cwd, tmpdir(), "/tmp", ...rules.write])],
    denyWrite: [
      // A repository may be made here; a folder with rules for the next start may not.
      ...RUN_LATER.map((name) => join(cwd, name)).filter(existsSync),
      join(cwd, ".bough"),
      home,
      ...rules.denyWrite,
    ],
    denyRead: [...keys, ...rules.denyRead],
  };
}

/**
 * Rules about files that hold for commands too: `edit(~/notes/**)` opens a folder for writing, and rules that deny close
 * one. Of patterns only a folder with everything in it opens; those that deny close what matches when a command starts.
 */
export function rulePaths(rules: readonly Rule[], place: PatternPlace): RulePaths {
  const paths = { write: [] as string[], denyWrite: [] as string[], denyRead: [] as string[] };
  for (const { effect, target } of rules) {
    if (target.kind !== "path" || target.tool !== undefined || effect === "ask") continue;
    if (target.pattern === undefined) {
      if (target.action === "write" && effect === "deny") paths.denyWrite.push(place.cwd);
      continue;
    }
    const path = absolutePattern(target.pattern, place);
    const folder = path.replace(/(\/\*\*)+$/, "");
    if (target.action === "read") {
      if (effect === "deny") paths.denyRead.push(isStaticPattern(folder) ? plainPath(folder) : path);
    } else if (effect === "deny") {
      paths.denyWrite.push(...existingMatches(folder));
    } else if (isStaticPattern(folder) && folder !== "") {
      paths.write.push(plainPath(folder));
    }
  }
  return { ...paths, write: paths.write.filter(existsSync) };
}
