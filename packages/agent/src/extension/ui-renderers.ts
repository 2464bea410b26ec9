/** Renderers for an extension's own messages, entries and tool calls in the conversation. */
import type { CustomEntry } from "@bough/session/entry/index.js";
import type { CustomMessageInput } from "./custom-message.js";
import type { UiComponent, UiTheme } from "./ui-component.js";

/** The result of a renderer; undefined uses the default rendering. */
export type Drawn = UiComponent | readonly string[] | string | undefined;

/** Draws a custom message: a component, or lines of text. */
export type MessageRenderer = (
  message: CustomMessageInput,
  options: { readonly width: number; readonly expanded: boolean },
  theme: UiTheme,
) => Drawn;

/** Draws a custom entry. Without a renderer, custom entries are not shown. */
export type EntryRenderer = (
  entry: CustomEntry,
  options: { readonly width: number; readonly expanded: boolean },
  theme: UiTheme,
) => Drawn;

/** Facts about a tool call, for its renderers. */
export interface ToolRenderContext {
  readonly args: unknown;
  readonly toolCallId: string;
  /** Redraws the call. */
  readonly invalidate: () => void;
  /** The previous result of the same renderer. */
  readonly lastComponent: UiComponent | undefined;
  /** An object shared by both renderers of a call. */
  readonly state: Record<string, unknown>;
  readonly cwd: string;
  readonly executionStarted: boolean;
  readonly argsComplete: boolean;
  /** Whether the result is not complete yet. */
  readonly isPartial: boolean;
  readonly expanded: boolean;
  readonly showImages: boolean;
  readonly isError: boolean;
}

/**
 * Chooses how the calls of a tool are drawn, also of one that is not registered. `next()` is what the other resolvers,
 * and then the tool itself, would use.
 */
export type ToolRendererResolver = (
  toolName: string,
  next: () => ToolRenderers | undefined,
) => ToolRenderers | undefined;

/** Renderers for the calls of a tool. If one is missing or fails, the default rendering is used. */
export interface ToolRenderers {
  readonly renderCall?: (args: never, theme: UiTheme, context: ToolRenderContext) => UiComponent;
  readonly renderResult?: (
    result: { readonly content: readonly unknown[]; readonly details?: unknown; readonly isError: boolean },
    options: { readonly expanded: boolean; readonly isPartial: boolean },
    theme: UiTheme,
    context: ToolRenderContext,
  ) => UiComponent;
}
