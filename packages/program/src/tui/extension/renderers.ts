/** What extensions draw in the conversation: calls of their tools, and their own entries. */

import type { Registered, Registrations } from "@bough/agent/extension/run.js";
import type { Drawn, ToolRenderContext, ToolRenderers, UiComponent } from "@bough/agent/extension/ui.js";
import { safeFitted } from "@bough/agent/terminal/index.js";
import type { CustomEntry, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { ToolBlock } from "@bough/session/view/index.js";
import type { BlockDrawers, DrawnTool, DrawnWith } from "../chat/transcript/block-context.js";
import type { PanelHost } from "../host/panel-host.js";
import { isComponent, ownerName } from "./shown-component.js";
import { liveUiTheme } from "./ui-theme.js";

interface RendererParts {
  readonly host: Pick<PanelHost, "theme" | "status" | "redraw">;
  readonly registrations: Pick<Registrations, "toolRenderers" | "entryRenderer" | "generation">;
  readonly cwd: string;
  readonly entry: (id: EntryId) => SessionEntry | undefined;
}

/** State of a call that is kept between frames. */
interface Row {
  /** Its registration, which changes when extensions are reloaded. */
  readonly by: object;
  readonly state: Record<string, unknown>;
  call?: UiComponent;
  result?: UiComponent;
}

/** Number of calls to keep state for. */
const MOST_ROWS = 500;
/** A renderer that returns more lines than this made a mistake. */
const MOST_LINES = 2000;

export class ExtensionRenderers implements BlockDrawers {
  readonly #parts: RendererParts;
  readonly #theme;
  readonly #rows = new Map<string, Row>();
  /** Renderers that failed are not called again until extensions are reloaded. */
  readonly #failed = new WeakMap<object, Set<string>>();
  #version = 0;

  constructor(parts: RendererParts) {
    this.#parts = parts;
    this.#theme = liveUiTheme(parts.host);
  }

  get version(): number {
    return this.#version + this.#parts.registrations.generation;
  }

  tool(block: ToolBlock, how: DrawnWith): DrawnTool | undefined {
    const registered = this.#parts.registrations.toolRenderers(block.name);
    if (registered === undefined || block.entryId === "") return undefined;
    const { renderCall, renderResult } = registered.value;
    if (renderCall === undefined && renderResult === undefined) return undefined;
    return { call: this.#call(registered, block, how), result: this.#result(registered, block, how) };
  }

  entry(entry: CustomEntry, { width, expanded }: DrawnWith): readonly string[] | undefined {
    const registered = this.#parts.registrations.entryRenderer(entry.customType);
    if (registered === undefined) return undefined;
    return this.#guarded(registered, `entry renderer for ${entry.customType}`, () =>
      linesOf(registered.value(entry, { width, expanded }, this.#theme), width),
    );
  }

  #call(registered: Registered<ToolRenderers>, block: ToolBlock, how: DrawnWith): readonly string[] | undefined {
    const { renderCall } = registered.value;
    if (renderCall === undefined) return undefined;
    const row = this.#row(block.callId, registered);
    return this.#guarded(registered, `renderCall of ${registered.name}`, () => {
      const context = this.#context(block, how, { state: row.state, last: row.call });
      const component = renderCall(block.arguments as never, this.#theme, context);
      if (isComponent(component)) row.call = component;
      return linesOf(component, how.width);
    });
  }

  #result(registered: Registered<ToolRenderers>, block: ToolBlock, how: DrawnWith): readonly string[] | undefined {
    const { renderResult } = registered.value;
    const result = this.#resultOf(block, how);
    if (renderResult === undefined || result === undefined) return undefined;
    const row = this.#row(block.callId, registered);
    const isPartial = block.state === "running";
    return this.#guarded(registered, `renderResult of ${registered.name}`, () => {
      const context = this.#context(block, how, { state: row.state, last: row.result });
      const component = renderResult(result, { expanded: how.expanded, isPartial }, this.#theme, context);
      if (isComponent(component)) row.result = component;
      return linesOf(component, how.width);
    });
  }

  /** As the tool returned it, or what has arrived so far. */
  #resultOf({ resultEntryId }: ToolBlock, { live }: DrawnWith) {
    if (live !== undefined) {
      if (live.text === "" && live.details === undefined) return undefined;
      return { content: [{ type: "text", text: live.text }], details: live.details, isError: false };
    }
    const entry = resultEntryId === undefined ? undefined : this.#parts.entry(resultEntryId);
    const message = entry?.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
    return message && { content: message.content, details: message.details, isError: message.isError };
  }

  #context(
    block: ToolBlock,
    { expanded, live }: DrawnWith,
    { state, last }: Pick<Row, "state"> & { readonly last: UiComponent | undefined },
  ): ToolRenderContext {
    return {
      args: block.arguments,
      toolCallId: block.callId,
      invalidate: () => {
        this.#version += 1;
        this.#parts.host.redraw();
      },
      lastComponent: last,
      state,
      cwd: this.#parts.cwd,
      executionStarted: block.state !== "running" || live !== undefined,
      argsComplete: true,
      isPartial: block.state === "running",
      expanded,
      showImages: false,
      isError: block.state === "failed",
    };
  }

  #row(callId: string, by: object): Row {
    const known = this.#rows.get(callId);
    if (known?.by === by) return known;
    const row: Row = { by, state: {} };
    this.#rows.delete(callId);
    this.#rows.set(callId, row);
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= MOST_ROWS) break;
      this.#rows.delete(oldest);
    }
    return row;
  }

  #guarded<Lines>(registered: Registered<unknown>, what: string, draw: () => Lines): Lines | undefined {
    const { extension } = registered;
    const failed = this.#failed.get(registered) ?? new Set();
    if (failed.has(what)) return undefined;
    try {
      return draw();
    } catch (error) {
      this.#failed.set(registered, failed.add(what));
      // Not while drawing, because the status line is part of the frame.
      setImmediate(() =>
        this.#parts.host.status(
          `${ownerName(extension)}: ${what} failed and is not used: ${errorText(error)}`,
          "error",
        ),
      );
      return undefined;
    }
  }
}

/** A text, lines of text, or a component that renders lines for a width. Throws for anything else. */
function linesOf(made: Drawn, width: number): readonly string[] | undefined {
  if (made === undefined || made === null) return undefined;
  const drawn: unknown = isComponent(made) ? made.render(width) : made;
  const lines = typeof drawn === "string" ? [drawn] : drawn;
  if (!Array.isArray(lines)) throw new TypeError("it returned neither a component, lines nor text");
  const shown = lines
    .flatMap((line) => String(line).split("\n"))
    .slice(0, MOST_LINES)
    .map((line) => safeFitted(line, width));
  // Trim padding above and below: the conversation has its own spacing.
  const first = shown.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : shown.slice(first, shown.findLastIndex((line) => line.trim() !== "") + 1);
}
