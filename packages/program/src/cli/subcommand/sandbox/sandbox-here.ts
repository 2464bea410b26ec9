/** The sandbox of this folder, with the user's settings and rules. */
import { homedir } from "node:os";
import { readSettings, type Settings } from "@bough/agent/project/index.js";
import {
  createPermissions,
  createTrust,
  openSandbox,
  parseRule,
  type Rule,
  rulePaths,
  type Sandbox,
} from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { usageError } from "../../cli-error.js";
import { socketPaths } from "../../start/start-sandbox.js";

export interface SandboxHere {
  readonly sandbox: Sandbox;
  readonly settings: Settings;
  readonly rules: readonly Rule[];
  readonly sockets: readonly string[];
}

/** Hosts follow the rules; no one is asked. Throws a usage error for a rule that cannot be parsed. */
export function sandboxHere(cwd: string, allow: readonly string[] = []): SandboxHere {
  const home = boughHome();
  const projectTrusted = createTrust(home).isTrusted(cwd);
  const { settings, rules: kept } = readSettings({ cwd, home, projectTrusted });
  const rules = [...kept, ...allow.map(givenRule)];
  const { permit } = createPermissions({ mode: "auto", cwd, rules });
  const sockets = socketPaths(settings.sandboxSockets ?? []);
  const sandbox = openSandbox({
    ...{ cwd, home, sockets },
    allowHost: async ({ host }) => {
      const { allowed } = await permit({ tool: "bash", action: "fetch", target: `https://${host}/` });
      return allowed;
    },
    paths: () => rulePaths(rules, { cwd, userHome: homedir() }),
  });
  return { sandbox, settings, rules, sockets };
}

function givenRule(text: string): Rule {
  const rule = parseRule(text, { effect: "allow", source: { kind: "flag" } });
  if (rule.target.kind === "broken") throw usageError(`Invalid rule for --allow: ${text}`, `${rule.target.problem}.`);
  return rule;
}
