import type { ImageBlock } from "@bough/session/entry/index.js";
import type { InputEvent } from "../../extension/index.js";
import { expandPromptTemplate } from "../../project/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

type ReceivedInput =
  | { readonly kind: "text"; readonly text: string; readonly images: readonly ImageBlock[] }
  /** An extension handled it; nothing is sent. */
  | { readonly kind: "handled"; readonly by: string };

interface SentInput {
  readonly text: string;
  readonly images?: readonly ImageBlock[];
  readonly source?: InputEvent["source"];
  /** How it reaches a run in progress. */
  readonly streamingBehavior?: InputEvent["streamingBehavior"];
  readonly expandTemplates?: boolean;
}

/** The user's input after extensions and prompt templates were applied. */
export async function receiveInput(
  parts: Pick<RunParts, "hooks" | "templates">,
  sent: SentInput,
  options: Partial<OperationOptions> = {},
): Promise<ReceivedInput> {
  const { source = "interactive", streamingBehavior, expandTemplates = true } = sent;
  let { text, images = [] } = sent;
  if (parts.hooks.has("input")) {
    const given = images.length === 0 ? undefined : images;
    const event = { type: "input", text, images: given, source, streamingBehavior } as const;
    for (const { extension, result } of await parts.hooks.emit<"input">(event, options)) {
      if (result.handled === true || result.action === "handled") return { kind: "handled", by: extension };
      if (result.action === "continue") continue;
      text = result.text ?? text;
      images = result.images ?? images;
    }
  }
  const expanded = expandTemplates ? expandPromptTemplate(text, parts.templates) : undefined;
  return { kind: "text", text: expanded ?? text, images };
}
