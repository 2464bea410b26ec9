/** The RPC server: one line in, one or more lines out. */

import { closestNames } from "@bough/session/text/index.js";
import { z } from "zod";
import { CliError } from "../cli-error.js";
import { errorReportOf } from "../error-report.js";
import type { ReadLine } from "../read-lines.js";
import type { RpcContext, RpcMethod } from "./methods/rpc-method.js";
import { RPC_METHODS } from "./methods/rpc-methods.js";

const requestId = z.union([z.string(), z.number()]);

interface RpcServerOptions {
  readonly context: RpcContext;
  /** Requests wait for it; answers to questions and `abort` do not. */
  readonly ready: Promise<void>;
  /** Sends a response; a long one may take a while. */
  readonly answer: (line: object) => void | Promise<void>;
}

/**
 * Responds to requests. Each starts as soon as its line is read, so that a run can be steered and stopped; the agent
 * refuses conflicting ones with `busy`. Every line gets a response, valid or not, and reading continues.
 */
export class RpcServer {
  readonly #context: RpcContext;
  readonly #ready: Promise<void>;
  readonly #send: (line: object) => void | Promise<void>;
  readonly #running = new Set<Promise<void>>();

  constructor({ context, ready, answer }: RpcServerOptions) {
    this.#context = context;
    this.#ready = ready;
    // The caller that awaits this gets the failure; until then it must not end the process.
    ready.catch(() => {});
    this.#send = answer;
  }

  handle(line: ReadLine): void {
    if (line.kind === "line" && line.text.trim() === "") return;
    const work = this.#answer(line);
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Resolves when every request so far has a response. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #answer(line: ReadLine): Promise<void> {
    let id: string | number | null = null;
    try {
      const message = messageIn(line);
      const known = requestId.safeParse(message.id);
      if (known.success) id = known.data;
      if (!("method" in message)) {
        if (("result" in message || "error" in message) && this.#context.questions.answer(message.id, message.result)) {
          return;
        }
        throw badRequest("The line has no method, and does not answer an open question");
      }
      if (id === null) throw badRequest("A request needs an id: a string or a number");
      // Requests that stop something must work at once: the start itself may be waiting for an answer from the client.
      if (message.method !== "abort") await this.#ready;
      const result = await this.#run(message.method, message.params);
      await this.#send({ id, result: result === undefined ? null : result });
    } catch (error) {
      await this.#send({ id, error: errorReportOf(error) });
    }
  }

  #run(name: unknown, params: unknown): unknown {
    const method = typeof name === "string" ? RPC_METHODS.get(name) : undefined;
    if (method === undefined) throw unknownMethod(name);
    const parsed = method.params.safeParse(params ?? {});
    if (!parsed.success) throw badParams(name as string, method, parsed.error.issues);
    return method.run(this.#context, parsed.data);
  }
}

function unknownMethod(name: unknown): CliError {
  const typed = typeof name === "string" ? name : JSON.stringify(name);
  const near = closestNames(typed, RPC_METHODS.keys());
  const hint = near.length === 0 ? "initialize lists the methods." : `Did you mean ${near.join(" or ")}?`;
  return new CliError("unknown-method", `Unknown method ${typed}`, { data: { method: typed, near }, hint });
}

function badParams(name: string, { params }: RpcMethod, found: readonly z.core.$ZodIssue[]): CliError {
  const { shape } = params as z.ZodObject;
  const issues = found.map(({ path, message }) => ({ path: path.join("."), message }));
  const [first] = issues;
  const unknown = found.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const near = unknown.flatMap((key) => closestNames(key, Object.keys(shape), { limit: 1 }));
  const takes = Object.keys(shape).length === 0 ? "It takes none." : `It takes: ${Object.keys(shape).join(", ")}.`;
  const where = first === undefined || first.path === "" ? "" : ` (${first.path})`;
  return new CliError("bad-params", `Invalid parameters for ${name}${where}: ${first?.message}`, {
    data: { issues, ...(unknown.length === 0 ? {} : { unknown, near }) },
    hint: near.length === 0 ? takes : `Did you mean ${near.join(" or ")}? ${takes}`,
  });
}

function messageIn(line: ReadLine): Readonly<Record<string, unknown>> {
  if (line.kind === "too-long") throw badRequest("The line is too long");
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    throw badRequest(`The line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest("The line is not a JSON object");
}

function badRequest(message: string): CliError {
  return new CliError("bad-request", message, { hint: 'A request is a line like {"id":1,"method":"getState"}' });
}
