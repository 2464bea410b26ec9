/** Sanitizes and limits the prompts, resources and instructions of a server. */
import { isRecord, withoutControls } from "@bough/session/text/index.js";

export interface ServerPrompt {
  readonly name: string;
  readonly description: string;
  readonly args: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface ServerResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

const MOST_ITEMS = 1_000;
const LONGEST_INSTRUCTIONS = 2_000;

export function listedPrompts(listed: readonly unknown[]): readonly ServerPrompt[] {
  return listed.slice(0, MOST_ITEMS).flatMap((item) => {
    // A slash command is one word.
    if (!isRecord(item) || typeof item.name !== "string" || !/^[\w./-]{1,100}$/.test(item.name)) return [];
    const args = Array.isArray(item.arguments) ? item.arguments.slice(0, 50) : [];
    return [
      {
        name: item.name,
        description: line(item.description),
        args: args.flatMap((arg) =>
          isRecord(arg) && typeof arg.name === "string"
            ? [{ name: line(arg.name), description: line(arg.description), required: arg.required === true }]
            : [],
        ),
      },
    ];
  });
}

export function listedResources(listed: readonly unknown[]): readonly ServerResource[] {
  return listed.slice(0, MOST_ITEMS).flatMap((item) => {
    if (!isRecord(item) || typeof item.uri !== "string" || /[\s\p{Cc}]/u.test(item.uri) || item.uri.length > 2_000)
      return [];
    return [{ uri: item.uri, name: line(item.title) || line(item.name), description: line(item.description) }];
  });
}

function line(text: unknown): string {
  return typeof text === "string" ? withoutControls(text).replace(/\s+/g, " ").trim().slice(0, 300) : "";
}

/** What a server says about how to use it, without control characters and of limited length. */
export function cleanInstructions(text: unknown): string {
  const clean = typeof text === "string" ? withoutControls(text).trim() : "";
  return clean.length <= LONGEST_INSTRUCTIONS ? clean : `${clean.slice(0, LONGEST_INSTRUCTIONS)}… (shortened)`;
}
