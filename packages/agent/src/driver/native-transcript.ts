/** The transcript of an agent's own session. */
import { statSync } from "node:fs";
import { attempt, defined } from "@bough/session/text/index.js";
import type { AgentName, AgentPlaces, ForeignSession } from "@bough/workbench/interop/index.js";
import { knownFilesPlace } from "@bough/workbench/interop/internal.js";

/** Where an agent started with this environment keeps its sessions. */
export function placesOf(env: NodeJS.ProcessEnv): AgentPlaces {
  return { ...(env.HOME === undefined ? {} : { home: env.HOME }), environment: env };
}

/** Remembers where transcripts are, so that they are looked for once. */
export class NativeTranscripts {
  readonly #places: AgentPlaces;
  readonly #paths = new Map<string, string>();
  readonly #cache: string | undefined;

  constructor(env: NodeJS.ProcessEnv) {
    this.#places = placesOf(env);
    // What is kept there is about the user's own folders.
    this.#cache = env.HOME === process.env.HOME ? knownFilesPlace() : undefined;
  }

  /** A file that was just written: it need not be looked for. */
  know(agent: AgentName, { id, path }: { readonly id: string; readonly path: string }): void {
    this.#paths.set(`${agent} ${id}`, path);
  }

  /** Changes whenever the transcript may have changed; undefined if it was not found yet. */
  stamp(agent: AgentName, id: string): string | undefined {
    const path = this.#paths.get(`${agent} ${id}`);
    if (path === undefined) return undefined;
    // A database writes next to its file first.
    const stats = [path, `${path}-wal`].map((one) => attempt(() => statSync(one)));
    return stats.map((one) => (one === undefined ? "" : `${one.size} ${one.mtimeMs}`)).join(" ");
  }

  get places(): AgentPlaces {
    return this.#places;
  }

  /** Undefined if there is none, or none that can be read. */
  async find(agent: AgentName, id: string): Promise<ForeignSession | undefined> {
    const { findSessions, foreignSessionAt } = await import("@bough/workbench/interop/index.js");
    const key = `${agent} ${id}`;
    const path = this.#paths.get(key);
    try {
      if (path !== undefined) return await foreignSessionAt(path, id);
    } catch {
      // Moved or gone: look again.
    }
    const found = await findSessions({ ...this.#places, agents: [agent], ...defined({ cache: this.#cache }) });
    const session = found.find((one) => one.id === id && one.problem === undefined);
    if (session !== undefined) this.#paths.set(key, session.path);
    return session;
  }
}
