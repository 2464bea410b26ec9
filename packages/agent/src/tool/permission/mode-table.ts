/** The permission table: what each mode decides for each kind of request. */
import type { PermissionMode, PermissionRequest } from "../tool.js";

export type PermissionRule = "allow" | "ask" | "deny";

interface PermissionCase {
  readonly mode: PermissionMode;
  readonly action: PermissionRequest["action"];
  /** Commands and extension tools count as inside by default: their text does not tell where they go. */
  readonly place: "inside" | "outside";
  /** For commands: whether a sandbox is configured, and works. */
  readonly sandbox?: CommandSandbox;
}

/** `unavailable`: configured, but it does not work here. `missing`: the same, if it is only a default of mode `auto`. */
export type CommandSandbox = "off" | "on" | "unavailable" | "missing";

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

/** The next mode, for a key that cycles through them. */
export function nextPermissionMode(mode: PermissionMode): PermissionMode {
  // `read-only` is not in the cycle and counts as `plan`.
  return CYCLE[(Math.max(0, CYCLE.indexOf(mode)) + 1) % CYCLE.length] ?? "ask";
}

export function decidePermission({ mode, action, place, sandbox = "off" }: PermissionCase): PermissionRule {
  // A request to a server can leak data of the project, so it is more than reading.
  if (action === "fetch")
    return mode === "auto" && place === "inside" ? "allow" : mode === "read-only" ? "deny" : "ask";
  const rule = TABLE[mode][place][action];
  // With a sandbox configured, `auto` must not allow a command to run outside it.
  return rule === "allow" && action === "run" && sandbox === "unavailable" ? "ask" : rule;
}
