/** Prompts of MCP servers as slash commands: `/server:prompt words`. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import type { ServerPrompt } from "@bough/agent/mcp/index.js";
import { titleOf } from "@bough/session/text/index.js";
import { splitWords, wrongArguments } from "../arguments.js";
import type { Command, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

/** Asked each time: servers come and go. */
export function commandsOfServers(agent: Pick<AgentSession, "servers">): readonly Command[] {
  return (agent.servers?.list() ?? []).flatMap(({ name: server, state, prompts }) =>
    state.kind === "disabled" ? [] : prompts.map((prompt) => promptCommand(server, prompt)),
  );
}

function promptCommand(server: string, { name, description, args }: ServerPrompt): Command {
  return {
    name: `${server}:${name}`,
    group: "program",
    usage: args.map((arg) => (arg.required ? `<${arg.name}>` : `[${arg.name}]`)).join(" "),
    summary: titleOf(description === "" ? `Prompt of the MCP server ${server}` : description, 100),
    details: `A prompt of the MCP server ${server}. Words are its arguments in order, or name=value.`,
    run: async ({ agent }, typed) => {
      const values = argumentsFrom(typed, args);
      const signal = AbortSignal.timeout(60_000);
      const prompt = await agent.servers?.getPrompt(server, name, { args: values, signal });
      if (prompt === undefined || (prompt.text.trim() === "" && prompt.images.length === 0)) {
        return unchanged(`The prompt ${name} of ${server} is empty.`);
      }
      const outcome = await agent.prompt(prompt.text, { images: prompt.images, expandTemplates: false });
      return ended(outcome);
    },
  };
}

function ended(outcome: Awaited<ReturnType<AgentSession["prompt"]>>): CommandOutcome {
  if (outcome.kind === "aborted") return unchanged(SENTENCES.stopped);
  if (outcome.kind === "failed") return unchanged(outcome.failure, "command-failed");
  return { kind: "done", data: { outcome: outcome.kind } };
}

/** The last argument takes all words that are left. */
function argumentsFrom(typed: string, args: ServerPrompt["args"]): Record<string, string> {
  const words = splitWords(typed);
  const values: [string, string][] = [];
  const open = args.map(({ name }) => name);
  const plain: string[] = [];
  for (const word of words) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? [];
    if (name !== undefined && value !== undefined && open.includes(name)) {
      values.push([name, value]);
      open.splice(open.indexOf(name), 1);
    } else plain.push(word);
  }
  open.forEach((name, at) => {
    const isLast = at === open.length - 1;
    const value = isLast ? plain.slice(at).join(" ") : plain[at];
    if (value !== undefined && value !== "") values.push([name, value]);
  });
  if (open.length === 0 && plain.length > 0) throw wrongArguments("Too many arguments");
  const missing = args.filter((arg) => arg.required && !values.some(([name]) => name === arg.name));
  if (missing.length > 0) throw wrongArguments(`Missing argument: ${missing.map(({ name }) => name).join(", ")}`);
  return Object.fromEntries(values);
}
