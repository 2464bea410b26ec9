/** The process that does an attempt: Bough itself in RPC mode, on a branch of the session and in a folder of its own. */
import type { ProcessIdentity } from "@bough/session/log/index.js";
import { errorText, isRecord } from "@bough/session/text/index.js";
import { RpcChild } from "../../driver/internal.js";
import type { AskPermission, PermissionAnswer, PermissionQuestion } from "../../tool/index.js";
import type { RunOutcome } from "../agent-events.js";
import type { RunLimits } from "../turn/run-limits.js";

export interface AttemptChildOptions {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onEvent: (event: Readonly<Record<string, unknown>>) => void;
  /** Asks the person. Without it, what needs an answer is refused. */
  readonly ask?: AskPermission | undefined;
  readonly onNotice: (message: string) => void;
}

export class AttemptChild {
  readonly #child: RpcChild;

  private constructor(child: RpcChild) {
    this.#child = child;
  }

  /** Throws `agent-missing`. */
  static async start(options: AttemptChildOptions): Promise<AttemptChild> {
    const { name, command, cwd, env, onEvent, onNotice } = options;
    const child = await RpcChild.start({
      ...{ command, cwd, env, title: name, onNotice },
      onNotification: () => undefined,
      onRequest: (method, params) => answer(method, params, options),
      onEvent: (event) => {
        if (isRecord(event)) onEvent(event);
      },
    });
    return new AttemptChild(child);
  }

  get process(): ProcessIdentity {
    return this.#child.process;
  }

  /** Resolves when the model is done. Rejects if the child ends. */
  async prompt(text: string, limits: RunLimits): Promise<RunOutcome> {
    const outcome = await this.#child.request("prompt", { text, limits });
    return outcome as RunOutcome;
  }

  async steer(text: string): Promise<void> {
    await this.#child.request("steer", { text });
  }

  /** Asks it to stop; the prompt then ends by itself. */
  async abort(): Promise<void> {
    await this.#child.request("abort", {});
  }

  close(): Promise<void> {
    return this.#child.close();
  }
}

/** Undefined for what is not supported. */
function answer(method: string, params: unknown, options: AttemptChildOptions): Promise<unknown> | undefined {
  if (method === "ui.permission") return permission(params, options);
  // No one is asked anything else: nothing is chosen, and nothing confirmed.
  if (method === "ui.confirm") return Promise.resolve(false);
  return method.startsWith("ui.") ? Promise.resolve(null) : undefined;
}

async function permission(params: unknown, { name, ask }: AttemptChildOptions): Promise<PermissionAnswer> {
  if (ask === undefined || !isRecord(params)) return "no";
  const question = params as unknown as PermissionQuestion;
  const warnings = Array.isArray(params.warnings) ? (params.warnings as readonly string[]) : [];
  try {
    return await ask({ ...question, warnings: [`This is ${name}, in a folder of its own.`, ...warnings] });
  } catch (error) {
    return { answer: "no", reason: errorText(error) };
  }
}
