/** How extensions draw their own messages, entries and tool calls in the conversation. */
import type { CustomEntry } from "@bough/session/entry/index.js";
import type { CustomMessageInput } from "./custom-message.js";
import type { UiComponent, UiTheme } from "./ui-component.js";

/** What a renderer may return. Undefined: draw it as if there were no renderer. */
export type Drawn = UiComponent | readonly string[] | string | undefined;

/** Draws a custom message: a component, or lines of text. */
export type MessageRenderer = (
  message: CustomMessageInput,
  options: { readonly width: number; readonly expanded: boolean },
  theme: UiTheme,
) => Drawn;

/** Draws a custom entry, which is not shown without one. */
export type EntryRenderer = (
  entry: CustomEntry,
  options: { readonly width: number; readonly expanded: boolean },
  theme: UiTheme,
) => Drawn;

/** What a renderer of tools knows about the call. */
export interface ToolRenderContext {
  readonly args: unknown;
  readonly toolCallId: string;
  /** Draws the call again. */
  readonly invalidate: () => void;
  /** What the same renderer returned before. */
  readonly lastComponent: UiComponent | undefined;
  /** An object that both renderers of a call share. */
  readonly state: Record<string, unknown>;
  readonly cwd: string;
  readonly executionStarted: boolean;
  readonly argsComplete: boolean;
  /** More of the result may come. */
  readonly isPartial: boolean;
  readonly expanded: boolean;
  readonly showImages: boolean;
  readonly isError: boolean;
}

/** Draw the calls of a tool. Without one, or if it fails, calls are drawn as those of every tool. */
export interface ToolRenderers {
  readonly renderCall?: (args: never, theme: UiTheme, context: ToolRenderContext) => UiComponent;
  readonly renderResult?: (
    result: { readonly content: readonly unknown[]; readonly details?: unknown; readonly isError: boolean },
    options: { readonly expanded: boolean; readonly isPartial: boolean },
    theme: UiTheme,
    context: ToolRenderContext,
  ) => UiComponent;
}
