/** `bough sandbox`: the sandbox around the model's shell commands. */
import { runAction } from "../run-action.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { SANDBOX_ACTIONS } from "./sandbox-actions.js";

export const row: SubcommandRow = {
  name: "sandbox",
  usage: "<status | install | run> [-- command...]",
  summary: "Set up, inspect or try the sandbox for shell commands",
  details:
    "status says whether the sandbox works here, when commands run in it, and which hosts, folders, sockets and commands your settings open. install names the system packages that are missing and tests the sandbox; if AppArmor forbids it, as on Ubuntu 24.04, it offers to add a profile for bwrap and changes nothing else. Nothing is downloaded. run runs a command inside: hosts follow your rules, and others are refused. See docs/permissions.md.",
  flags: {
    yes: { short: "y", help: "with install: add the AppArmor profile without asking" },
    allow: {
      value: "rule",
      repeatable: true,
      help: "with run: another rule, such as 'web_fetch(example.com)'; repeatable",
    },
  },
  examples: [
    ["sandbox status", "does it work, and what does it allow"],
    ["sandbox install", "what is missing on this system"],
    ["sandbox run -- npm ci", "run a command inside"],
    ["sandbox run --allow 'web_fetch(example.com)' -- curl https://example.com", "with one host allowed"],
  ],
  json: 'status: { "works", "reason"?, "fix"?, "use": "on" | "auto" | "off", "sockets": [path], "rules": [{ effect, rule, source, file? }] }; install: { "works", "reason"?, "fix"?, "command": text or null, "profile": { "path", "text", "state": "present" | "written" | "missing" } or null }; run: { "exitCode", "blocked": [{ kind, what, certain, movedTo? }] }, with the output of the command on standard error',
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  completes: SANDBOX_ACTIONS.map(({ name }) => name),
};

export function run(call: SubcommandCall): Promise<number> {
  return runAction(call, { of: "sandbox", actions: SANDBOX_ACTIONS });
}
