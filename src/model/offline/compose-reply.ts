import type { ToolResultInput } from "../../context/index.js";
import type { ToolCallBlock } from "../../entry/index.js";
import type { PlannedCall } from "./plan-request.js";

const LINES = 20;
const CHARACTERS = 1500;

const SIGNED = "(offline/rules: found by rules, not by a language model.)";

export const EXPLANATION = [
  "I am offline/rules: a set of rules built into Bough, not a language model. No rule fits this request.",
  "",
  "What I can do:",
  "- list a folder: what is in this folder?",
  "- read a file: read README.md",
  "- search: search for TODO in src, or find *.ts",
  "- run a command: run npm test, or a line that starts with $",
  '- write and change: write "hello" to notes.txt, or replace "hello" with "goodbye" in notes.txt',
  "- several at once: list the files and read package.json",
  "",
  "For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server such as Ollama, then choose it with --model, or with /model where you type commands.",
].join("\n");

/** What tools gave back, in their own words, shortened. */
export function composeReply(
  outcomes: readonly { readonly call: ToolCallBlock; readonly result: ToolResultInput }[],
  left: readonly PlannedCall[],
): string {
  const parts = outcomes.map(({ call, result }) => {
    const said = `\`${called(call.name, call.arguments)}\``;
    const text = result.content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
    if (result.isError) return `${said} did not work:\n${shortened(text)}`;
    return text.trim() === "" ? `${said} gave no output.` : `${said}:\n${shortened(text)}`;
  });
  for (const call of left) {
    parts.push(`\`${called(call.tool, call.arguments)}\` was not run: the tool ${call.tool} is not available here.`);
  }
  return [...parts, SIGNED].join("\n\n");
}

function called(name: string, values: Readonly<Record<string, unknown>>): string {
  const main = [values.command, values.pattern, values.path].filter((value) => typeof value === "string");
  return [name, ...main].join(" ").split("\n", 1)[0]?.slice(0, 120) ?? name;
}

function shortened(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown: string[] = [];
  let room = CHARACTERS;
  for (const line of lines.slice(0, LINES)) {
    if (line.length > room) break;
    shown.push(line);
    room -= line.length + 1;
  }
  if (shown.length === 0) return `${(lines[0] ?? "").slice(0, CHARACTERS)}…`;
  const more = lines.length - shown.length;
  return more === 0 ? shown.join("\n") : `${shown.join("\n")}\n… ${more} more ${more === 1 ? "line" : "lines"}`;
}
