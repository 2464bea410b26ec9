/** The full terminal: opens it, starts the agent in it, and always restores the terminal. */
import { resolve } from "node:path";
import { readSettings } from "@bough/agent/project/index.js";
import { boughHome, sessionFolder } from "@bough/session/session/index.js";
import { span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { askChoice, openTerminal, type PanelHost } from "../../tui/index.js";
import { CliError } from "../cli-error.js";
import type { InteractiveRequest } from "../cli-options.js";
import type { ModeParts } from "../run-print.js";
import { importQuestion } from "../start/import-question.js";
import { startAgent } from "../start/start-agent.js";
import { askTrust } from "./ask-trust.js";

export async function runTerminal(request: InteractiveRequest, { version, interruption }: ModeParts): Promise<number> {
  const { screen, demo } = request;
  const cwd = resolve(request.agent.cwd ?? ".");
  const home = boughHome();
  // Reads only the appearance; settings that could do harm are read again once trust is known.
  const { settings } = readSettings({ cwd, home, projectTrusted: false });
  const glyphs = screen.ascii ? ("ascii" as const) : settings.glyphs;
  const terminal = openTerminal({
    settings: { ...settings, glyphs },
    cwd,
    home,
    env: process.env,
    now: Date.now,
  });
  const giveBack = (): void => {
    terminal.close();
    const last = demo ? "" : terminal.farewell();
    if (last !== "") process.stdout.write(`${last}\n`);
  };
  try {
    const started = await startAgent(request.agent, {
      ui: () => terminal.ui,
      hasUi: true,
      mode: "tui",
      ask: terminal.ask,
      choosePresence: (others) => terminal.choosePresence(others),
      askTrust: (question) => askTrust(terminal.host, question),
      askImport: (place) => askImport(terminal.host, place),
      syncs: !demo,
      refreshesModels: !demo,
      version,
    });
    interruption.onEnd(async () => {
      giveBack();
      await started.close();
    });
    const { agent, parts } = started;
    const prompt = parts.prompt ?? request.prompt;
    const shown = terminal.run({
      agent,
      registry: parts.registry,
      permissions: parts.permissions,
      registrations: parts.runner.registrations,
      runExtensionCommand: (name, args) => started.runExtensionCommand(name, args),
      runShortcut: (shortcut) => started.runShortcut(shortcut),
      listen: (listener) => started.listen(listener),
      begin: () => started.begin(),
      sync: parts.sync,
      cwd,
      home,
      version,
      sessionDir: parts.sessionDir ?? sessionFolder(cwd),
      projectTrusted: parts.trusted,
      agentPlaces: {},
      prompt: prompt === "" ? undefined : prompt,
      notice: demo ? DEMO_NOTICE : undefined,
    });
    return await Promise.race([shown, parts.ended]);
  } catch (error) {
    terminal.close();
    if (error instanceof CliError && error.code === "not-opened") return 0;
    throw error;
  }
}

const DEMO_NOTICE = "Nothing here is kept. Esc Esc tree, d compare, M merge a branch, ? keys";

/** Asks whether to import another program's session, so that work can continue in the copy. */
function askImport(host: PanelHost, place: ForeignPlace): Promise<"import" | "cancel"> {
  const sentences = importQuestion(place);
  return askChoice<"import" | "cancel">(host, {
    name: "import",
    lines: ({ width }) => sentences.flatMap((text) => wrapWords(text, width - 2)).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: "import", label: "import it", detail: "and continue in the copy" },
      { keys: ["esc"], answer: "cancel", label: "leave it" },
    ],
    cancel: "cancel",
  });
}
