/** A real agent with extensions that are functions: a scripted model and a session file in a temporary folder. */
import { join } from "node:path";
import { type CreateAgentOptions, createAgentSession, createModelRegistry } from "@bough/agent/agent/index.js";
import type { ExtensionFactory } from "@bough/agent/extension/index.js";
import { createRunner, type ExtensionProblem, type ExtensionRunner } from "@bough/agent/extension/run.js";
import { SessionManager } from "@bough/session/session/index.js";
import { tempFolder } from "../support/temp-folder.js";

export interface Embedded {
  readonly agent: Awaited<ReturnType<typeof createAgentSession>>;
  readonly session: SessionManager;
  readonly runner: ExtensionRunner;
  readonly problems: ExtensionProblem[];
  readonly folder: string;
}

export type EmbeddedOptions = Omit<CreateAgentOptions, "extensions"> & {
  readonly extensions: readonly ExtensionFactory[];
  readonly flags?: Readonly<Record<string, string | boolean>>;
};

export async function embedded({ extensions, flags = {}, ...options }: EmbeddedOptions): Promise<Embedded> {
  const folder = options.cwd ?? tempFolder();
  const problems: ExtensionProblem[] = [];
  const named = extensions.map((factory, index) => ({ name: `ext${index + 1}`, factory }));
  const runner = await createRunner(named, { onProblem: (problem) => problems.push(problem), flags });
  const session = options.session ?? SessionManager.create(folder, join(folder, "sessions"));
  const agent = await createAgentSession({
    registry: createModelRegistry({ home: folder, env: {} }),
    tools: [],
    permit: async () => ({ allowed: true }),
    outputDir: folder,
    ...options,
    cwd: folder,
    session,
    extensions: runner,
  });
  return { agent, session, runner, problems, folder };
}
