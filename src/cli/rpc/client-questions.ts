/** Questions to the client: what extensions and tools want to know of a person. */
import { z } from "zod";
import type { ExtensionUi } from "../../extension/index.js";
import type { PermissionAnswer, PermissionRequest } from "../../tool/index.js";

const text = z.string().nullable();

/** Parameters and answers. Everything else a client may answer, an error too, counts as no answer. */
export const CLIENT_QUESTIONS = {
  "ui.select": {
    summary: "Choose one of the options, or none.",
    params: z.strictObject({ title: z.string(), options: z.array(z.string()) }),
    result: text,
  },
  "ui.confirm": {
    summary: "Yes or no.",
    params: z.strictObject({ title: z.string(), message: z.string().optional() }),
    result: z.boolean(),
  },
  "ui.input": {
    summary: "A line of text, or none.",
    params: z.strictObject({ title: z.string(), placeholder: z.string().optional() }),
    result: text,
  },
  "ui.editor": {
    summary: "A longer text, or none.",
    params: z.strictObject({ title: z.string(), text: z.string().optional() }),
    result: text,
  },
  "ui.permission": {
    summary: "May a tool do this: once, for the rest of the session, or no.",
    params: z.strictObject({ tool: z.string(), action: z.enum(["read", "write", "run", "use"]), target: z.string() }),
    result: z.enum(["once", "session", "no"]),
  },
} as const;
export type ClientQuestion = keyof typeof CLIENT_QUESTIONS;

type Params<Name extends ClientQuestion> = z.input<(typeof CLIENT_QUESTIONS)[Name]["params"]>;
type Answer<Name extends ClientQuestion> = z.output<(typeof CLIENT_QUESTIONS)[Name]["result"]>;

export interface QuestionLines {
  /** Sends a line to the client. */
  readonly send: (line: object) => void;
}

/**
 * Asks and waits for the answer with the same id. A client that says nothing sensible, or is gone, gave no answer:
 * nothing chosen, nothing confirmed, nothing permitted.
 */
export class ClientQuestions {
  readonly #send: (line: object) => void;
  readonly #open = new Map<string, (answer: unknown) => void>();
  #count = 0;
  #gone = false;

  constructor({ send }: QuestionLines) {
    this.#send = send;
  }

  async #ask<Name extends ClientQuestion>(method: Name, params: Params<Name>): Promise<Answer<Name> | undefined> {
    if (this.#gone) return undefined;
    this.#count += 1;
    const id = `ui-${this.#count}`;
    const answer = new Promise<unknown>((resolve) => this.#open.set(id, resolve));
    this.#send({ id, method, params });
    const parsed = CLIENT_QUESTIONS[method].result.safeParse(await answer);
    return parsed.success ? (parsed.data as Answer<Name>) : undefined;
  }

  /** Takes an answer. False where no question ever had this id; one that is closed already is fine. */
  answer(id: unknown, result: unknown): boolean {
    const number = typeof id === "string" ? /^ui-(\d+)$/.exec(id)?.[1] : undefined;
    if (number === undefined || Number(number) < 1 || Number(number) > this.#count) return false;
    this.#close(id as string, result);
    return true;
  }

  /** Nobody waits for answers any more; the client is told which questions it may forget. */
  closeAll(): void {
    for (const id of [...this.#open.keys()]) {
      this.#close(id, undefined);
      this.#send({ event: { type: "question_closed", id } });
    }
  }

  /** The client is gone: open questions and all later ones have no answer. */
  leave(): void {
    this.#gone = true;
    for (const id of [...this.#open.keys()]) this.#close(id, undefined);
  }

  #close(id: string, result: unknown): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(result);
  }

  readonly permission = async ({ tool, action, target }: PermissionRequest): Promise<PermissionAnswer> =>
    (await this.#ask("ui.permission", { tool, action, target })) ?? "no";

  ui(notify: ExtensionUi["notify"]): ExtensionUi {
    const optional = <Key extends string>(key: Key, value: string | undefined) =>
      (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: string };
    return {
      select: async (title, options) => {
        const choice = await this.#ask("ui.select", { title, options: [...options] });
        return options.find((option) => option === choice);
      },
      confirm: async (title, message) =>
        (await this.#ask("ui.confirm", { title, ...optional("message", message) })) ?? false,
      input: async (title, placeholder) =>
        (await this.#ask("ui.input", { title, ...optional("placeholder", placeholder) })) ?? undefined,
      editor: async (title, content) =>
        (await this.#ask("ui.editor", { title, ...optional("text", content) })) ?? undefined,
      notify,
      // There is no keyboard to hand over.
      custom: (_component, done) => done(),
    };
  }
}
