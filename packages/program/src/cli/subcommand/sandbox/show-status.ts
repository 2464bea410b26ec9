/** `bough sandbox status`: whether it works here, when it is used, and what the user's settings open. */
import { DEFAULT_SANDBOX, type SandboxChoice } from "@bough/agent/project/index.js";
import type { Rule } from "@bough/agent/tool/index.js";
import { visibleText } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { sandboxHint } from "../../../command/index.js";
import type { SubcommandCall } from "../subcommand.js";
import { sandboxHere } from "./sandbox-here.js";

/** Exit code 1 if it does not work here. */
export async function run({ out, places: { cwd } }: SubcommandCall): Promise<number> {
  const { sandbox, settings, rules: all, sockets } = sandboxHere(cwd);
  try {
    const state = await sandbox.ready();
    const use = settings.sandbox ?? DEFAULT_SANDBOX;
    const rules = all.filter(concernsSandbox);
    const works = state.kind === "on";
    if (out.json) {
      const why = works ? {} : { reason: state.reason, fix: state.fix };
      const listed = rules.map(({ effect, text, source }) => ({
        effect,
        rule: text,
        source: source.kind,
        file: source.file,
      }));
      out.value({ works, ...why, use, sockets, rules: listed });
      return works ? 0 : 1;
    }
    if (works) out.line([span("The sandbox works here.", "good")]);
    else {
      out.line([span(`The sandbox does not work here: ${state.reason}.`, "bad")]);
      out.line([span(sandboxHint(state), "muted")]);
    }
    await out.lines([[], ...facts(use, { cwd, sockets, rules })]);
    return works ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

const USES: Readonly<Record<SandboxChoice, string>> = {
  on: "in every permission mode",
  auto: "in permission mode auto",
  off: "never; to use it: bough --sandbox on, or --sandbox auto for mode auto",
};

interface Opened {
  readonly cwd: string;
  readonly sockets: readonly string[];
  readonly rules: readonly Rule[];
}

function* facts(use: SandboxChoice, { cwd, sockets, rules }: Opened): Generator<Line> {
  yield row("Used", USES[use]);
  yield row("Writes", `${safe(cwd)} and temporary folders, but not what decides what runs later`);
  yield row("Reads", "everything but key files");
  yield row("Network", "hosts that a rule or you allow; Bough asks about others");
  yield row("Sockets", sockets.length === 0 ? "none of this machine" : sockets.map(safe).join(", "));
  yield row("Rules", rules.length === 0 ? "none of yours change this" : "");
  for (const { effect, text } of rules) yield [span(`  ${effect.padEnd(5)}  `, "muted"), span(safe(text))];
}

function row(name: string, text: string): Line {
  return [span(name.padEnd(9), "strong"), span(text)];
}

function safe(text: string): string {
  return visibleText(text, { newlines: "escape" }).text;
}

/** Rules about hosts, files and leaving the sandbox change what a command inside it can do. */
function concernsSandbox({ effect, target }: Rule): boolean {
  if (effect === "ask") return false;
  if (target.kind === "host") return true;
  if (target.kind === "path") return target.action === "write" ? target.pattern !== undefined : effect === "deny";
  return (
    (target.kind === "command" && target.outside === true) || (target.kind === "tool" && target.tool === "unsandboxed")
  );
}
