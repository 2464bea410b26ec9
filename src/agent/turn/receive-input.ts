import { expandPromptTemplate } from "../../project/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

type ReceivedInput =
  | { readonly kind: "text"; readonly text: string }
  /** An extension took it; nothing is sent. */
  | { readonly kind: "handled"; readonly by: string };

/** What a user typed, after extensions had their say and prompt templates were filled in. */
export async function receiveInput(
  parts: Pick<RunParts, "hooks" | "templates">,
  text: string,
  options: Partial<OperationOptions> = {},
): Promise<ReceivedInput> {
  let current = text;
  if (parts.hooks.has("input")) {
    for (const { extension, result } of await parts.hooks.emit<"input">({ type: "input", text }, options)) {
      if (result.handled === true) return { kind: "handled", by: extension };
      if (result.text !== undefined) current = result.text;
    }
  }
  return { kind: "text", text: expandPromptTemplate(current, parts.templates) ?? current };
}
