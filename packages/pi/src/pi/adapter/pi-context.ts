/** The context with which pi's handlers, tools and commands read the session and act on it. */
import type { ModelInfo } from "@bough/agent/model/index.js";
import { useRegistry } from "../ai/ask-model.js";
import { toPiModel } from "../ai/pi-model.js";
import { useTheme } from "../coding-agent/theme.js";
import type { PiTheme } from "../pi-theme.js";
import { piSession } from "./pi-entries.js";
import { piRegistry } from "./pi-registry.js";

type Method = (...values: readonly unknown[]) => unknown;

/** The part of our context that is used here. The rest is passed through. */
export interface NativeContext {
  readonly ui: Readonly<Record<string, Method>> & { readonly theme: PiTheme };
  readonly mode?: string;
  readonly hasUi?: boolean;
  readonly model?: ModelInfo | undefined;
  readonly modelRegistry: Parameters<typeof piRegistry>[0] & Parameters<typeof useRegistry>[0];
  readonly sessionManager: object;
}

export interface ContextParts {
  readonly api: Parameters<typeof piRegistry>[1];
  /** Tells extensions that a question was shown or closed. */
  readonly onPrompt: (event: PromptEvent) => void;
}

export interface PromptEvent {
  readonly type: "ui_prompt_start" | "ui_prompt_end";
  readonly reason: "ui_prompt";
  readonly kind: string;
  readonly title?: string;
}

/** Maps front ends that pi does not have to the closest one it has. */
const MODES: Readonly<Record<string, string>> = { plain: "rpc", library: "print" };
const QUESTIONS = ["select", "confirm", "input", "editor", "custom"] as const;
const REPLACING = ["newSession", "fork", "switchSession"] as const;

export function piContext(native: NativeContext, parts: ContextParts): object {
  useRegistry(native.modelRegistry);
  useTheme(() => native.ui.theme);
  const getter = (get: () => unknown): PropertyDescriptor => ({ get, enumerable: true });
  const replaced = REPLACING.filter((name) => name in native).map((name) => [
    name,
    { value: withPiSession((native as unknown as Record<string, Method>)[name] as Method, parts), enumerable: true },
  ]);
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(native),
      ...(Object.fromEntries(replaced) as PropertyDescriptorMap),
      ui: getter(() => piUi(native.ui, parts)),
      mode: getter(() => MODES[native.mode ?? ""] ?? native.mode ?? "print"),
      hasUI: getter(() => (native as { readonly hasUI?: boolean }).hasUI ?? native.hasUi ?? false),
      model: getter(() => (native.model === undefined ? undefined : toPiModel(native.model))),
      scopedModels: getter(() => []),
      modelRegistry: getter(() => piRegistry(native.modelRegistry, parts.api)),
      sessionManager: getter(() => piSession(native.sessionManager)),
    },
  );
}

/** Gives `withSession` a context of pi's too. */
function withPiSession(method: Method, parts: ContextParts): Method {
  return (...values) => {
    const options = values.at(-1) as { readonly withSession?: Method } | undefined;
    const { withSession } = typeof options === "object" && options !== null ? options : {};
    if (withSession === undefined) return method(...values);
    const wrapped = { ...options, withSession: (context: NativeContext) => withSession(piContext(context, parts)) };
    return method(...values.slice(0, -1), wrapped);
  };
}

/** Our user interface, which also reports questions. */
function piUi(native: NativeContext["ui"], { onPrompt }: ContextParts): object {
  const questions = QUESTIONS.map((kind) => [
    kind,
    {
      enumerable: true,
      value: async (...values: readonly unknown[]) => {
        const [title] = values;
        const about = { reason: "ui_prompt", kind, title: typeof title === "string" ? title : undefined } as const;
        onPrompt({ type: "ui_prompt_start", ...about });
        try {
          return await (native[kind] as Method)(...values);
        } finally {
          onPrompt({ type: "ui_prompt_end", ...about });
        }
      },
    },
  ]);
  const descriptors = Object.getOwnPropertyDescriptors(native) as PropertyDescriptorMap;
  return Object.defineProperties({}, { ...descriptors, ...(Object.fromEntries(questions) as PropertyDescriptorMap) });
}
