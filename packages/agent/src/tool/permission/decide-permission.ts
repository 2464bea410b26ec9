/** The table of permissions: what each mode says to each kind of request. */
import type { PermissionMode, PermissionRequest } from "../tool.js";

export type PermissionRule = "allow" | "ask" | "deny";

interface PermissionCase {
  readonly mode: PermissionMode;
  readonly action: PermissionRequest["action"];
  /** A command and a tool of an extension count as inside: where they go cannot be read off their text. */
  readonly place: "inside" | "outside";
  /** For commands: whether a sandbox was asked for, and works. */
  readonly sandbox?: CommandSandbox;
}

/** `unavailable`: asked for, but it does not work here. */
export type CommandSandbox = "off" | "on" | "unavailable";

type Row = Readonly<Record<Exclude<PermissionRequest["action"], "fetch">, PermissionRule>>;

const ONLY_READ = {
  inside: { read: "allow", write: "deny", run: "deny", use: "deny" },
  outside: { read: "deny", write: "deny", run: "deny", use: "deny" },
} as const;

const TABLE: Readonly<Record<PermissionMode, Readonly<Record<PermissionCase["place"], Row>>>> = {
  plan: ONLY_READ,
  "read-only": ONLY_READ,
  ask: {
    inside: { read: "allow", write: "ask", run: "ask", use: "ask" },
    outside: { read: "ask", write: "ask", run: "ask", use: "ask" },
  },
  edits: {
    inside: { read: "allow", write: "allow", run: "ask", use: "ask" },
    outside: { read: "ask", write: "ask", run: "ask", use: "ask" },
  },
  auto: {
    inside: { read: "allow", write: "allow", run: "allow", use: "allow" },
    outside: { read: "ask", write: "ask", run: "ask", use: "ask" },
  },
};

const CYCLE: readonly PermissionMode[] = ["plan", "ask", "edits", "auto"];

/** The mode after this one where one key goes through them all. */
export function nextPermissionMode(mode: PermissionMode): PermissionMode {
  // After `read-only`, which is not one of them, comes what is after `plan`.
  return CYCLE[(Math.max(0, CYCLE.indexOf(mode)) + 1) % CYCLE.length] ?? "ask";
}

export function decidePermission({ mode, action, place, sandbox = "off" }: PermissionCase): PermissionRule {
  // What is asked of a server can carry something out of the project, so reading there is more than reading here.
  if (action === "fetch")
    return mode === "auto" && place === "inside" ? "allow" : mode === "read-only" ? "deny" : "ask";
  const rule = TABLE[mode][place][action];
  // Who wants a sandbox wants commands to run inside it: one that would run outside is not for `auto` to allow.
  return rule === "allow" && action === "run" && sandbox === "unavailable" ? "ask" : rule;
}
