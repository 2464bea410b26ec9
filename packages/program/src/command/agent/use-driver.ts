/** Changes who does the turns: the same for every front end. */
import type { DriverChoices } from "@bough/agent/agent/index.js";
import type { Notice } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";
import type { AgreeParts } from "./agree-to-driver.js";
import { OWN_AGENT } from "./own-agent.js";

/** Asks what has to be asked first. After a no, everything is as before, and nothing was sent. */
export async function useDriver(
  context: CommandContext,
  name: string,
  choices: DriverChoices = {},
): Promise<CommandOutcome> {
  const { agent } = context;
  const current = agent.driver?.name ?? OWN_AGENT;
  if (name === current) return unchanged(`${agent.driver?.title ?? "Bough's own agent"} does the turns already.`);
  if (name === OWN_AGENT) return useOwnAgent(context);
  const [{ driverNamed, knownAgent }, { agentState }, { agreeToDriver }] = await Promise.all([
    import("@bough/agent/driver/index.js"),
    import("@bough/agent/driver/internal.js"),
    import("./agree-to-driver.js"),
  ]);
  const { version = "0" } = context;
  const known = knownAgent(name);
  const driver = driverNamed(name, { version });
  const { signal } = new AbortController();
  const state = await agentState(known, { env: process.env, start: false, signal, version });
  if (state.kind === "missing") {
    const message = `${known.title} is not installed: ${known.command[0]} was not found on PATH.`;
    return unchanged({ message, ...(known.install === undefined ? {} : { hint: known.install }) }, "agent-missing");
  }
  const said: string[] = [];
  const agreement = await agreeToDriver(
    driver,
    agreeParts(context, ({ message }) => said.push(message)),
  );
  if (agreement.kind === "refused") return unchanged(`Not continued with ${driver.title}.`, "not-agreed");
  if (agreement.kind === "needs-agreement") {
    const hint = "Switch to permission mode auto to run it anyway, or use the terminal.";
    return unchanged({ message: `${agreement.message}.`, hint }, "needs-agreement");
  }
  await agreement.beforeGiven(agent.session);
  await agent.setDriver(driver, {
    // What it says later has no command to say it with.
    beforeGiven: agreement.beforeGiven,
    choices,
  });
  const message = [`${driver.title} does the turns from here on.`, ...said.map((one) => `${one}.`)].join("\n");
  return { kind: "done", message, data: { driver: name } };
}

async function useOwnAgent({ agent }: CommandContext): Promise<CommandOutcome> {
  const { sizeOf } = await import("./agree-to-driver.js");
  await agent.setDriver(undefined);
  const { model, session } = agent;
  if (model === undefined) {
    const message = "Bough's own agent does the turns from here on. No model is selected.";
    return { kind: "done", message, hint: "Choose one with /model.", data: { driver: null } };
  }
  const { provider, id, api } = model.info;
  const sent =
    session.getLeafId() === null || api === "offline" ? "" : ` It is sent this conversation (${sizeOf(session)}).`;
  const message = `Bough's own agent does the turns from here on, with ${provider}/${id}.${sent}`;
  return { kind: "done", message, data: { driver: null } };
}

/** How a command asks. */
export function agreeParts(context: CommandContext, say: (notice: Notice) => void): AgreeParts {
  const { home, cwd, permissions, ui, front } = context;
  const { confirm } = front;
  const asked =
    ui !== undefined
      ? (title: string, message: string) => ui.confirm(title, message, { enter: "no" })
      : confirm &&
        ((title: string, message: string) =>
          confirm({ title, lines: message.split("\n"), yes: "continue", no: "cancel" }));
  return {
    home,
    cwd,
    permissions: permissions ?? { mode: "ask", rules: [] },
    notice: (_level, notice) => say(notice),
    confirm: asked,
  };
}
