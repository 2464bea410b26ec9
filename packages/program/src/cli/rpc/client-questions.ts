/** Questions that extensions and tools ask the client's user. */

import type { ExtensionUi, FrontEndUi } from "@bough/agent/extension/index.js";
import { dialogLimit } from "@bough/agent/extension/internal.js";
import { silentUi } from "@bough/agent/extension/run.js";
import type { UiDialogOptions } from "@bough/agent/extension/ui.js";
import type { FilePreview, PermissionAnswer, PermissionQuestion } from "@bough/agent/tool/index.js";
import { defined, visibleText } from "@bough/session/text/index.js";
import { blockedWords } from "@bough/session/view/internal.js";
import { z } from "zod";

const text = z.string().nullable();
const timeout = z.number().optional().describe("Milliseconds until the question is closed without an answer.");

/** The change to a file that the question is about. */
const preview = z
  .union([
    z.strictObject({ kind: z.literal("create"), text: z.string() }),
    z.strictObject({ kind: z.literal("change"), diff: z.string(), added: z.number(), removed: z.number() }),
    z.strictObject({ kind: z.literal("replace"), text: z.string(), bytes: z.number() }),
  ])
  .meta({ id: "FilePreview" });

/** Something that the sandbox kept a command from. */
const blocked = z
  .strictObject({
    kind: z.enum(["write", "read", "network", "socket", "moved"]),
    what: z.string().describe("An absolute path, host:port, or a host."),
    certain: z.boolean().describe("False if it is only what the command printed."),
    movedTo: z.string().optional(),
  })
  .meta({ id: "Blocked" });

/** Parameters and answers. Any other response, including an error, counts as no answer. */
export const CLIENT_QUESTIONS = {
  "ui.select": {
    summary: "Choose one of the options, or none.",
    params: z.strictObject({ title: z.string(), options: z.array(z.string()), timeout }),
    result: text,
  },
  "ui.confirm": {
    summary: "Yes or no.",
    params: z.strictObject({ title: z.string(), message: z.string().optional(), timeout }),
    result: z.boolean(),
  },
  "ui.input": {
    summary: "A line of text, or none.",
    params: z.strictObject({ title: z.string(), placeholder: z.string().optional(), timeout }),
    result: text,
  },
  "ui.editor": {
    summary: "A longer text, or none.",
    params: z.strictObject({ title: z.string(), text: z.string().optional() }),
    result: text,
  },
  "ui.permission": {
    summary:
      "Whether a tool may do this: once, for the rest of the session (if `grant` says what that allows), always in this project (if `project` says what that allows), always in every project (if `everywhere` says what that allows), or no, with an optional reason for the model. Show `shown`, `warnings` and `preview`, and for a tool of an MCP server which `server` it is on; `target` is raw and may contain control characters. With `blocked`, a command is to run again outside the sandbox, which kept it from what is listed; show `shownBlocked`. With `movedTo`, a file that a sandboxed command created is to be put back at `target`.",
    params: z.strictObject({
      tool: z.string(),
      action: z.enum(["read", "write", "run", "fetch", "use"]),
      target: z.string(),
      server: z.strictObject({ name: z.string(), tool: z.string() }).optional(),
      shown: z.string(),
      warnings: z.array(z.string()),
      grant: z.string().optional(),
      project: z.string().optional(),
      everywhere: z.string().optional(),
      blocked: z.array(blocked).optional(),
      shownBlocked: z.array(z.string()).optional(),
      movedTo: z.string().optional(),
      by: z.string().optional().describe("The sub-agent that asks."),
      preview: preview.optional(),
      shownPreview: preview.optional(),
    }),
    result: z.union([
      z.enum(["once", "session", "project", "everywhere", "no"]),
      z.strictObject({ answer: z.literal("no"), reason: z.string() }),
    ]),
  },
} as const;
type ClientQuestion = keyof typeof CLIENT_QUESTIONS;

type Params<Name extends ClientQuestion> = z.input<(typeof CLIENT_QUESTIONS)[Name]["params"]>;
type Answer<Name extends ClientQuestion> = z.output<(typeof CLIENT_QUESTIONS)[Name]["result"]>;

interface QuestionLines {
  /** Sends a line to the client. */
  readonly send: (line: object) => void;
}

/**
 * Asks and waits for the answer with the same id. An invalid response, or a client that disconnects, counts as no
 * answer: nothing chosen, confirmed or permitted.
 */
export class ClientQuestions {
  readonly #send: (line: object) => void;
  readonly #open = new Map<string, (answer: unknown) => void>();
  #count = 0;
  #gone = false;

  constructor({ send }: QuestionLines) {
    this.#send = send;
  }

  async #ask<Name extends ClientQuestion>(
    method: Name,
    params: Params<Name>,
    dialog: UiDialogOptions = {},
  ): Promise<Answer<Name> | undefined> {
    const { signal } = dialog;
    const limit = dialogLimit(dialog);
    if (this.#gone || signal?.aborted === true) return undefined;
    this.#count += 1;
    const id = `ui-${this.#count}`;
    const answer = new Promise<unknown>((resolve) => this.#open.set(id, resolve));
    this.#send({ id, method, params: limit === undefined ? params : { ...params, timeout: limit } });
    const takeBack = (): void => this.#takeBack(id);
    const clock = limit === undefined ? undefined : setTimeout(takeBack, limit);
    signal?.addEventListener("abort", takeBack, { once: true });
    try {
      const parsed = CLIENT_QUESTIONS[method].result.safeParse(await answer);
      return parsed.success ? (parsed.data as Answer<Name>) : undefined;
    } finally {
      clearTimeout(clock);
      signal?.removeEventListener("abort", takeBack);
    }
  }

  /** Takes an answer. False if no question ever had this id; one that is already closed is fine. */
  answer(id: unknown, result: unknown): boolean {
    const number = typeof id === "string" ? /^ui-(\d+)$/.exec(id)?.[1] : undefined;
    if (number === undefined || Number(number) < 1 || Number(number) > this.#count) return false;
    this.#close(id as string, result);
    return true;
  }

  /** Expects no more answers, and tells the client which questions to close. */
  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.#takeBack(id);
  }

  /** The client is gone: open questions and all later ones get no answer. */
  leave(): void {
    this.#gone = true;
    for (const id of [...this.#open.keys()]) this.#close(id, undefined);
  }

  #takeBack(id: string): void {
    if (!this.#open.has(id)) return;
    this.#close(id, undefined);
    this.#send({ event: { type: "question_closed", id } });
  }

  #close(id: string, result: unknown): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(result);
  }

  readonly permission = async (question: PermissionQuestion): Promise<PermissionAnswer> => {
    const { tool, action, target, server, shown, warnings, grant, project, everywhere, preview: raw } = question;
    const { blocked: kept, movedTo, by } = question;
    const params = defined({
      tool,
      action,
      target,
      shown,
      warnings: [...warnings],
      server,
      grant,
      project,
      everywhere,
      blocked: kept?.map((one) => defined({ ...one })),
      shownBlocked: kept?.map(blockedWords),
      movedTo,
      by,
      preview: raw,
      shownPreview: raw && visiblePreview(raw),
    });
    return (await this.#ask("ui.permission", params)) ?? "no";
  };

  /** Its `reset` withdraws everything that extensions asked and showed; the agent's own questions stay. */
  ui(notify: ExtensionUi["notify"]): FrontEndUi {
    let resets = new AbortController();
    const until = (dialog: UiDialogOptions = {}): UiDialogOptions => ({
      ...dialog,
      signal: dialog.signal === undefined ? resets.signal : AbortSignal.any([dialog.signal, resets.signal]),
    });
    /** How to remove what is shown, by its kind and key. */
    const shown = new Map<string, Readonly<Record<string, unknown>>>();
    const show = (event: Readonly<Record<string, unknown>>, empty: "text" | "lines"): void => {
      const id = JSON.stringify([event.type, event.key]);
      if (event[empty] === null) shown.delete(id);
      else shown.set(id, { ...event, [empty]: null });
      tell(event);
    };
    const optional = <Key extends string>(key: Key, value: string | undefined) =>
      (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: string };
    const tell = (event: Readonly<Record<string, unknown>>): void => {
      if (!this.#gone) this.#send({ event });
    };
    return {
      // There is no keyboard to hand over, and no screen to draw on.
      ...silentUi(() => {}),
      select: async (title, options, dialog) => {
        const choice = await this.#ask("ui.select", { title, options: [...options] }, until(dialog));
        return options.find((option) => option === choice);
      },
      confirm: async (title, message, dialog) =>
        (await this.#ask("ui.confirm", { title, ...optional("message", message) }, until(dialog))) ?? false,
      input: async (title, placeholder, dialog) =>
        (await this.#ask("ui.input", { title, ...optional("placeholder", placeholder) }, until(dialog))) ?? undefined,
      editor: async (title, content) =>
        (await this.#ask("ui.editor", { title, ...optional("text", content) }, until())) ?? undefined,
      notify,
      setStatus: (key, status) => show({ type: "ui_status", key, text: status ?? null }, "text"),
      setWidget: (key, content, { placement = "aboveEditor" } = {}) => {
        // A component needs a screen; lines do not.
        if (typeof content === "function") return;
        show({ type: "ui_widget", key, lines: content ?? null, placement }, "lines");
      },
      setTitle: (title) => tell({ type: "ui_title", title }),
      setEditorText: (content) => tell({ type: "ui_editor_text", text: content }),
      pasteToEditor: (content) => tell({ type: "ui_editor_text", text: content }),
      reset: () => {
        resets.abort();
        resets = new AbortController();
        for (const event of shown.values()) tell(event);
        shown.clear();
      },
    };
  }
}

function visiblePreview(raw: FilePreview): FilePreview {
  return raw.kind === "change"
    ? { ...raw, diff: visibleText(raw.diff).text }
    : { ...raw, text: visibleText(raw.text).text };
}
