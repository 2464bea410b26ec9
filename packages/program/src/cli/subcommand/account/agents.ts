/** `bough agents`: which other agents can do the turns of a session here. */
import type { CleanedNative, KeptReason, NativeToClean } from "@bough/agent/driver/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import { counted, firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { type AgentFacts, agentFacts, agentRow, billsWords, nextStep, stateWords } from "../../../command/internal.js";
import { usageError } from "../../cli-error.js";
import { askYes } from "../ask-yes.js";
import { openToLook } from "../open-to-look.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "agents",
  usage: "[clean [session]]",
  summary: "List other agents that can do the turns, or delete the sessions Bough made with them",
  details:
    "Looks for the programs of Claude Code, Codex, opencode, Gemini CLI and pi on PATH; bough --agent <name> uses them. Starts none of them without --check, which starts each one that is installed and asks it for an empty session. Installs nothing, and reads no logins. clean deletes the agents' own sessions that Bough made, all or those of one session, after asking; those that you continued in the agent's own program stay. Bough's sessions lose nothing: the next prompt to the agent writes the path again. See docs/agents.md.",
  flags: {
    check: { help: "start each installed agent, to see its version and whether it needs a login" },
    "dry-run": { help: "with clean: only list what would be deleted" },
    yes: { short: "y", help: "with clean: do not ask for confirmation" },
  },
  examples: [
    ["agents", "which are installed"],
    ["agents clean --dry-run", "which of their sessions would be deleted"],
    ["agents --check", "which of them start, and which need a login"],
  ],
  json: '{ "agents": [{ agent, title, command, state: "missing" | "installed" | "ready" | "login" | "failed", path?, version?, reason?, install, login, asks, bills }] }; clean: { "removed": [{ agent, id, cwd }], "kept": [{ agent, id, cwd, reason }], "failed": [{ agent, id, cwd, reason }] }; with --dry-run, "removed" is what would be',
  args: { least: 0, most: 2 },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, signal, version } = call;
  const [verb, reference] = args;
  if (verb !== undefined && verb !== "clean") throw usageError(`Unknown argument ${verb}`, "Did you mean clean?");
  if (verb === "clean") return clean(call, reference);
  refuse(call, ["dry-run", "yes"], "works only with clean");
  const all = await agentFacts({ env: process.env, start: flags.isOn("check"), signal, version });
  if (out.json) await out.values({}, "agents", all.map(agentRow));
  else await out.lines(all.flatMap(lines));
  return 0;
}

/** The longest name, and two spaces. */
const NAME_WIDTH = 10;

function lines(facts: AgentFacts): Line[] {
  const { agent, state } = facts;
  const words = state.kind === "installed" ? firstWords(state.path, 200) : stateWords(state);
  const more = [nextStep(facts), billsWords(facts)].filter((text) => text !== "");
  return [
    [span(agent.name.padEnd(NAME_WIDTH), "strong"), span(words, TONES[state.kind])],
    ...more.map((text): Line => [span(`${" ".repeat(NAME_WIDTH)}${text}`, "muted")]),
  ];
}

const TONES = { missing: "muted", installed: "text", ready: "text", login: "note", failed: "bad" } as const;

function refuse({ flags }: SubcommandCall, names: readonly string[], why: string): void {
  const given = names.find((name) => flags.isOn(name));
  if (given !== undefined) throw usageError(`--${given} ${why}`);
}

/** Deletes the agents' own sessions that Bough made. */
async function clean(call: SubcommandCall, reference: string | undefined): Promise<number> {
  const { flags, out, signal, version } = call;
  refuse(call, ["check"], "does not work with clean");
  const { applyCleanNatives, planCleanNatives } = await import("@bough/agent/driver/internal.js");
  const { env } = process;
  const sessionId = reference === undefined ? undefined : await sessionIdOf(reference, call);
  const plan = await planCleanNatives({ home: boughHome(), env, sessionId });
  const wanted = plan.filter(({ kept }) => kept === undefined);
  const isDry = flags.isOn("dry-run");
  if (!out.json) await out.lines(plan.map(cleanLine));
  if (wanted.length > 0 && !isDry && !flags.isOn("yes")) {
    const question = `Delete ${counted(wanted.length, "session")} of other agents? Bough's own sessions stay.`;
    if (!(await askYes(question, call))) {
      out.notice("Nothing was deleted.");
      return 1;
    }
  }
  const cleaned: readonly CleanedNative[] = isDry ? wanted : await applyCleanNatives(plan, { env, version, signal });
  const failed = cleaned.filter(({ failure }) => failure !== undefined);
  const kept = [...plan, ...cleaned].filter((one) => one.kept !== undefined);
  const removed = cleaned.filter((one) => one.failure === undefined && one.kept === undefined);
  if (out.json) {
    const row = ({ native: { driver, id, cwd } }: NativeToClean) => ({ agent: driver, id, cwd });
    out.value({
      removed: removed.map(row),
      kept: kept.map((one) => ({ ...row(one), reason: one.kept })),
      failed: failed.map((one) => ({ ...row(one), reason: one.failure })),
    });
  } else {
    for (const { native, failure = "" } of failed) out.notice(`bough: ${native.driver} ${native.id}: ${failure}`);
    const verb = isDry ? "would be deleted" : "deleted";
    out.line(plan.length === 0 ? "There are no sessions to delete." : `${counted(removed.length, "session")} ${verb}.`);
  }
  return failed.length > 0 ? 1 : 0;
}

async function sessionIdOf(reference: string, call: SubcommandCall): Promise<string> {
  const argument = await ownSessionArgument(reference, call.places, { where: "here" });
  const { session, close } = await openToLook(argument, call);
  try {
    return session.getSessionId();
  } finally {
    close();
  }
}

const KEPT: Readonly<Record<KeptReason, string>> = {
  continued: "stays: continued in its own program",
  "in-use": "stays: in use",
  "not-installed": "stays: its program is not installed",
  "unknown-agent": "stays: its sessions cannot be read",
  unreadable: "stays: it cannot be read now",
};

function cleanLine({ native, kept, isGone }: NativeToClean): Line {
  const state = kept !== undefined ? KEPT[kept] : isGone ? "already deleted by the agent" : native.cwd;
  return [
    span(native.driver.padEnd(NAME_WIDTH), "strong"),
    span(`${firstWords(native.id, 40)}  `),
    span(firstWords(state, 200), kept === undefined ? "text" : "muted"),
  ];
}
