/** Sentences about permissions: the mode, and what was allowed for the session. */

import type { Driver } from "@bough/agent/driver/index.js";
import {
  closesOnlyExisting,
  type PermissionMode,
  type Rule,
  ruleCoverage,
  type SandboxState,
} from "@bough/agent/tool/index.js";
import { type Notice, visibleText } from "@bough/session/text/index.js";

export const PERMISSION_SENTENCES = {
  none: "This program manages permissions itself.",
  noGrants: "You have granted no permissions in this session.",
  notSandboxed: "Until the sandbox works, commands ask in this mode.",
  sandboxMissing: "Until the sandbox works, commands that Bough does not fully understand ask in this mode.",
  grants: "Allowed for this session:",
  howToRevoke: "/permissions revoke <number> revokes one; /permissions revoke all revokes all.",
  rules: "Rules (deny wins over ask, ask over allow):",
  howToFind: "/permissions find <text> lists rules that contain it.",
  noSandbox: { message: "Commands are not sandboxed.", hint: "To sandbox them, start with --sandbox on." },
  howToRemove: "/permissions remove <rule> takes a rule out of your settings.",
} as const;

const MODES: Readonly<Record<PermissionMode, string>> = {
  plan: "Mode plan: nothing is changed or run, and the model is told to make a plan.",
  ask: "Mode ask: asks before commands, changes, and reading outside the working directory.",
  edits: "Mode edits: files in the working directory are changed without asking; commands ask.",
  auto: "Mode auto: commands and changes in the working directory run without asking.",
  "read-only": "Mode read-only: nothing is changed or run.",
};

/** With another agent, a mode decides only about what that agent asks. */
export function permissionModeSentence(mode: PermissionMode, driver?: Driver): string {
  return driver === undefined ? MODES[mode] : `Mode ${mode}: ${DRIVEN_MODES[mode](driver)}`;
}

const DRIVEN_MODES: Readonly<Record<PermissionMode, (driver: Driver) => string>> = {
  plan: (driver) => `${driver.title} works in its mode ${driver.modes?.plan}, in which it changes nothing.`,
  ask: (driver) => neverAsks(driver) ?? `you are asked what ${driver.title} asks.`,
  edits: (driver) =>
    neverAsks(driver) ?? `when ${driver.title} asks, changes in this folder are allowed; commands ask.`,
  auto: (driver) => neverAsks(driver) ?? `when ${driver.title} asks, it is allowed what is inside this folder.`,
  "read-only": (driver) =>
    `${driver.title} works in its mode ${driver.modes?.["read-only"]}, in which it changes nothing.`,
};

function neverAsks({ title, asks }: Driver): string | undefined {
  return asks === "never" ? `${title} does everything without asking.` : undefined;
}

/** Whether another agent can be kept to it. */
export function holdsMode(mode: PermissionMode, driver: Driver | undefined): boolean {
  const isRestricted = mode === "plan" || mode === "read-only";
  return driver === undefined || !isRestricted || driver.modes?.[mode] !== undefined;
}

export function noSuchModeSentence(mode: PermissionMode, { title }: Driver): string {
  return `${title} cannot be kept from changing files, so mode ${mode} would not hold.`;
}

/** How to make the sandbox work. */
export function sandboxHint({ fix }: Extract<SandboxState, { kind: "unavailable" }>): string {
  return `${fix}${/[.!:]$/.test(fix) ? "" : "."} To check: bough sandbox install`;
}

/** Whether the requested sandbox works. */
export function sandboxNotice(state: SandboxState): Notice {
  if (state.kind === "unavailable") return { message: `Not sandboxed: ${state.reason}.`, hint: sandboxHint(state) };
  return {
    message:
      "Commands run in a sandbox: they write only in this folder and temporary folders, and connect only to hosts you allow.",
  };
}

/** When a background command ended: what the sandbox kept it from. */
export function jobBlockedNotice(command: string, blocked: string): Notice {
  const shown = visibleText(command, { newlines: "escape" }).text;
  return { message: `The sandbox blocked ${blocked}, for the background command ${shown}` };
}

/** When something was allowed for the session: what, and how to revoke it. */
export function grantedNotice(words: string): Notice {
  return { message: `Allowed for this session: ${words}.`, hint: "/permissions revokes it." };
}

interface KeptRule {
  readonly words: string;
  readonly where: "in this project" | "in every project";
  readonly file: string;
}

/** When a rule was stored: what it allows, where it is, and how to revoke it. */
export function ruleKeptNotice({ words, where, file }: KeptRule): Notice {
  return {
    message: `Always allowed ${where}: ${words}. Saved in ${file}.`,
    hint: "/permissions removes it.",
  };
}

/** "r1  allow bash(npm test:*)  your settings" */
export function ruleLine(rule: Rule, name: string, sandbox?: SandboxState): string {
  const { effect, text, source, target } = rule;
  const from = source.file === undefined ? ORIGINS[source.kind] : `${ORIGINS[source.kind]} (${source.file})`;
  const broken = target.kind === "broken" ? `  not understood: ${target.problem}` : "";
  const every = ruleCoverage(rule) === "every" ? "  every option" : "";
  const limit =
    sandbox?.kind === "on" && closesOnlyExisting(rule) ? "  sandboxed commands: protects files that already exist" : "";
  return `  ${name}  ${effect} ${visibleText(text, { newlines: "escape" }).text}  ${from}${every}${broken}${limit}`;
}

const ORIGINS: Readonly<Record<Rule["source"]["kind"], string>> = {
  user: "your settings",
  project: "the project's settings",
  local: "this checkout",
  environment: "BOUGH_PERMISSION_RULES",
  flag: "command line",
  program: "this program",
};

/** When another session was opened. */
export function grantsEndedSentence(words: readonly string[]): string {
  return `No longer allowed without asking: ${words.join("; ")}`;
}
