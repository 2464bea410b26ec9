/** A file written by a real agent in many steps, for `blame`: its lines come from many prompts on two branches. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const LINES = 400;
/** How many lines a step rewrites. */
const CHANGED = 8;

/**
 * The file; made once.
 *
 * @param {{ home: string, agent: string, session: string, steps: number }} input
 */
export async function blamedFile({ home, agent, session, steps }) {
  const root = join(home, "blamed");
  const file = join(root, "notes.txt");
  if (existsSync(join(root, "done"))) return file;
  const { createAgentSession } = await import(agent);
  const { SessionManager } = await import(session);
  mkdirSync(root, { recursive: true });
  // The benchmark's data may be inside another repository.
  execFileSync("git", ["init", "-q"], { cwd: root });
  const own = join(home, ".bough");
  const manager = SessionManager.create(root, join(own, "sessions", "--blamed--"));
  const lines = Array.from({ length: LINES }, (_, at) => `line ${at}`);
  let step = 0;
  const made = await createAgentSession({
    cwd: root,
    model: writing(() => {
      const first = (step * 37) % LINES;
      for (let at = first; at < Math.min(first + CHANGED, LINES); at++) lines[at] = `line ${at} of step ${step}`;
      return lines.join("\n");
    }),
    session: manager,
    permit: async () => ({ allowed: true }),
    files: { home: own },
  });
  for (; step < steps; step++) {
    await made.prompt(`rewrite some lines, step ${step}`);
    if (step === steps / 2) manager.branch(manager.getBranch()[2].id);
  }
  await made.dispose?.();
  manager.close();
  mkdirSync(join(root, "done"));
  return file;
}

/**
 * A model that writes the file once for every prompt.
 *
 * @param {() => string} content
 */
function writing(content) {
  const info = {
    ...{ provider: "bench", id: "bench", name: "Bench", api: "offline", contextWindow: 1_000_000, maxOutput: 8000 },
    ...{ reasoning: false, images: false, prices: undefined },
  };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
  let number = 0;
  return {
    info,
    async *stream(/** @type {unknown} */ _request, /** @type {{ now: () => number }} */ options) {
      number += 1;
      const call = {
        type: "toolCall",
        id: `call-${number}`,
        name: "write",
        arguments: { path: "notes.txt", content: "" },
      };
      const isCall = number % 2 === 1;
      if (isCall) {
        call.arguments.content = content();
        yield { type: "tool_call", call };
      } else yield { type: "text", delta: "done" };
      const message = {
        ...{ role: "assistant", api: info.api, provider: info.provider, model: info.id, usage },
        content: isCall ? [call] : [{ type: "text", text: "done" }],
        stopReason: isCall ? "toolUse" : "stop",
        timestamp: options.now(),
      };
      yield { type: "end", message };
    },
  };
}
