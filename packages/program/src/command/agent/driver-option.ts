/** /model and /thinking while another agent does the turns: what it offers, and a choice. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import type { Driver, DriverOption } from "@bough/agent/driver/index.js";
import { firstWords } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { shownOr, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

const SCREENS = { model: "model", effort: "thinking" } as const;
const WORDS = { model: "Model", effort: "Thinking" } as const;
type Choosable = keyof typeof WORDS;

/** Lists the values, or chooses one. */
export async function driverOption(
  context: CommandContext,
  driver: Driver,
  { option, wanted }: { readonly option: Choosable; readonly wanted: string },
): Promise<CommandOutcome> {
  if (wanted === "") return shownOr(context, { screen: SCREENS[option] }, () => listing(context, driver, option));
  const { agent } = context;
  const before = await offered(context, driver, option);
  if (before === "stopped") return unchanged(SENTENCES.stopped);
  const { id, name } = await agent.setDriverOption({ option, value: wanted });
  if (before?.value === id) return unchanged(option === "model" ? SENTENCES.sameModel : SENTENCES.sameLevel);
  const named = name.toLowerCase() === id.toLowerCase() ? id : `${id} (${name})`;
  const message = `${WORDS[option]} of ${driver.title}: ${firstWords(named, 100)}`;
  return { kind: "done", message, data: { driver: driver.name, option, value: id } };
}

/** Starts the agent if needed. Undefined if it does not offer this. */
export async function offered(
  { agent, front }: Pick<CommandContext, "agent" | "front">,
  { title }: Driver,
  option: DriverOption["option"],
): Promise<DriverOption | "stopped" | undefined> {
  const options = await watched(agent, front, title);
  return options === "stopped" ? options : options.find((one) => one.option === option);
}

async function watched(agent: AgentSession, front: CommandContext["front"], title: string) {
  if (front.watch === undefined || agent.isStreaming) return agent.driverOptions();
  const work = (signal: AbortSignal) => {
    signal.addEventListener("abort", () => void agent.abort(), { once: true });
    return agent.driverOptions();
  };
  const outcome = await front.watch({ title: () => `Asking ${title}`, stops: "nothing changes", work });
  return outcome.kind === "done" ? outcome.value : "stopped";
}

/** Why there is nothing to choose. */
export function notOffered({ title }: Driver, option: Choosable): string {
  return option === "model"
    ? `${title} offers no choice of models. Choose one in its own program.`
    : `${title} offers no thinking levels for this model.`;
}

async function listing(context: CommandContext, driver: Driver, option: Choosable): Promise<CommandOutcome> {
  const found = await offered(context, driver, option);
  if (found === "stopped") return unchanged(SENTENCES.stopped);
  if (found === undefined || found.values.length === 0) return unchanged(notOffered(driver, option));
  const lines = found.values.map(({ id, name, about = "" }) => {
    const more = [name.toLowerCase() === id.toLowerCase() ? "" : name, about].filter((text) => text !== "").join(": ");
    return `${id === found.value ? "@" : " "} ${firstWords(`${id}${more === "" ? "" : `  ${more}`}`, 200)}`;
  });
  const hint = `/${SCREENS[option]} <name> chooses one.`;
  return { kind: "done", message: lines.join("\n"), hint, data: { driver: driver.name, ...found } };
}
