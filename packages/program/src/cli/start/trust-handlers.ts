/** Extensions of the user that decide whether a project is trusted, before anything of the project is loaded. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { EventHub } from "@bough/agent/agent/internal.js";
import type { ExtensionContext, ExtensionUi, ProjectTrustResult } from "@bough/agent/extension/index.js";
import {
  type ExtensionHost,
  ExtensionRunner,
  type ExtensionSource,
  findExtensions,
} from "@bough/agent/extension/run.js";
import { readSettings } from "@bough/agent/project/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { AgentRequest } from "../cli-options.js";
import { LOADING } from "./our-doors.js";

interface HandlersOf {
  readonly cwd: string;
  readonly home: string;
  readonly request: AgentRequest;
}

/**
 * The user's extensions, and those of the command line, whose script names the event. They are loaded once more for it,
 * so the others are not.
 */
export function trustHandlers({ cwd, home, request }: HandlersOf): readonly ExtensionSource[] {
  const isAll = request.extensionPlaces === "all";
  const fromSettings = isAll ? (readSettings({ cwd, home, projectTrusted: false }).settings.extensions ?? []) : [];
  const named = [...fromSettings, ...request.extensions.map((path) => resolve(path))];
  if (named.length === 0 && !isAll) return [];
  const { sources } = findExtensions({ home, cwd, trusted: false, named });
  return sources.filter(
    ({ file, origin }) =>
      (isAll || origin === "named") && attempt(() => readFileSync(file, "utf8"))?.includes("project_trust") === true,
  );
}

interface Asking {
  readonly cwd: string;
  readonly front: {
    readonly ui: (relay: EventHub) => ExtensionUi;
    readonly hasUi: boolean;
    readonly mode: ExtensionContext["mode"];
  };
  readonly relay: EventHub;
  /** Time limit for each extension, while nothing is shown yet. It is paused while the user is asked. */
  readonly limitMs?: number;
}

const LIMIT_MS = 10_000;

/** The first yes or no; undefined if no extension decides. */
export async function askExtensions(
  sources: readonly ExtensionSource[],
  { cwd, front, relay, limitMs = LIMIT_MS }: Asking,
): Promise<{ readonly trusted: "yes" | "no"; readonly remember?: boolean } | undefined> {
  const ui = front.ui(relay);
  const { hasUi, mode } = front;
  const context = { cwd, mode, hasUi, hasUI: hasUi, ui } as unknown as ExtensionContext;
  const runner = new ExtensionRunner({
    host: { cwd, context: () => context } as unknown as ExtensionHost,
    onProblem: (problem) => relay.emit({ type: "extension_problem", ...problem }),
    timeoutMs: limitMs,
    ...LOADING,
  });
  await runner.load(sources);
  const answers = await runner.emit<"project_trust">({ type: "project_trust", cwd });
  const decided = answers.map(({ result }) => result as ProjectTrustResult | undefined).find(isDecided);
  return decided;
}

function isDecided(
  answer: ProjectTrustResult | undefined,
): answer is ProjectTrustResult & { readonly trusted: "yes" | "no" } {
  return answer?.trusted === "yes" || answer?.trusted === "no";
}
