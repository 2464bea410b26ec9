/** The editor's suggestions together with those of extensions. */

import type { UiAutocompleteProvider } from "@bough/agent/extension/ui.js";
import { errorText } from "@bough/session/text/index.js";
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { ChatCompletion } from "../chat/editor/chat-completion.js";
import type { PanelHost } from "../host/panel-host.js";
import { ownerName } from "./shown-component.js";

export interface CompletionLayer {
  readonly owner: string | undefined;
  readonly factory: (current: UiAutocompleteProvider) => UiAutocompleteProvider;
}

type Asked = Parameters<AutocompleteProvider["getSuggestions"]>;
type Applied = Parameters<AutocompleteProvider["applyCompletion"]>;

export class StackedCompletion implements AutocompleteProvider {
  readonly #host: Pick<PanelHost, "status">;
  readonly #base: ChatCompletion;
  #layers: { readonly owner: string | undefined; readonly provider: AutocompleteProvider }[] = [];
  /** The program's own last suggestions. */
  #own: AutocompleteSuggestions | null = null;
  #isOwn = true;

  constructor(host: Pick<PanelHost, "status">, base: ChatCompletion) {
    this.#host = host;
    this.#base = base;
  }

  /** What kind of items the last list contained; Enter accepts what an extension suggests. */
  get kind(): ChatCompletion["kind"] {
    return this.#isOwn ? this.#base.kind : "file";
  }

  add({ owner, factory }: CompletionLayer): void {
    const current = this.#layers.at(-1)?.provider ?? this.#ownProvider;
    try {
      const provider = factory(current as UiAutocompleteProvider) as AutocompleteProvider;
      this.#layers.push({ owner, provider });
    } catch (error) {
      this.#say(owner, error);
    }
  }

  clear(): void {
    this.#layers = [];
  }

  async getSuggestions(...asked: Asked): Promise<AutocompleteSuggestions | null> {
    const top = this.#layers.at(-1);
    if (top === undefined) return this.#ownProvider.getSuggestions(...asked);
    this.#own = null;
    try {
      const found = await top.provider.getSuggestions(...asked);
      this.#isOwn = found === null || found === this.#own;
      return found;
    } catch (error) {
      this.#dropped(top.owner, error);
      return this.getSuggestions(...asked);
    }
  }

  applyCompletion(...applied: Applied): ReturnType<AutocompleteProvider["applyCompletion"]> {
    const top = this.#layers.at(-1);
    if (top === undefined || this.#isOwn) return this.#base.applyCompletion(...applied);
    try {
      return top.provider.applyCompletion(...applied);
    } catch (error) {
      this.#dropped(top.owner, error);
      const [lines, cursorLine, cursorCol] = applied;
      return { lines, cursorLine, cursorCol };
    }
  }

  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    return this.#base.shouldTriggerFileCompletion(lines, cursorLine, cursorCol);
  }

  /** The bottom of the stack, as extensions see it. */
  readonly #ownProvider: AutocompleteProvider = {
    getSuggestions: async (...asked) => {
      this.#own = await this.#base.getSuggestions(...asked);
      this.#isOwn = true;
      return this.#own;
    },
    // Extensions apply their own items with it, which the check for fast typing does not know.
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) =>
      this.#isOwn
        ? this.#base.applyCompletion(lines, cursorLine, cursorCol, item, prefix)
        : replaced({ lines, cursorLine, cursorCol, item, prefix }),
  };

  #dropped(owner: string | undefined, error: unknown): void {
    this.#layers = this.#layers.slice(0, -1);
    this.#say(owner, error);
  }

  #say(owner: string | undefined, error: unknown): void {
    this.#host.status(`${ownerName(owner)}: suggestions failed and were removed: ${errorText(error)}`, "error");
  }
}

interface Replacing {
  readonly lines: string[];
  readonly cursorLine: number;
  readonly cursorCol: number;
  readonly item: AutocompleteItem;
  readonly prefix: string;
}

function replaced({ lines, cursorLine, cursorCol, item, prefix }: Replacing) {
  const line = lines[cursorLine] ?? "";
  const start = line.slice(0, Math.max(0, cursorCol - prefix.length)) + item.value;
  const changed = [...lines];
  changed[cursorLine] = start + line.slice(cursorCol);
  return { lines: changed, cursorLine, cursorCol: start.length };
}
