/** The program with extensions written for pi, in this process: the real loader, the real agent, a model at the wire. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentUi } from "@bough/agent/extension/run.js";
import type { ExtensionUi } from "@bough/agent/extension/ui.js";
import { PROTOCOLS, type Protocol, type SpokenPart, says } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireReply, type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import type { AgentRequest } from "@bough/program/cli/cli-options.js";
import { startAgent } from "@bough/program/cli/start/start-agent.js";
import type { StartedAgent } from "@bough/program/cli/start/started-agent.js";
import { vi } from "vitest";
import { afterTest } from "../support/after-test.js";
import { tempFolder } from "../support/temp-folder.js";

export const CORPUS = join(dirname(fileURLToPath(import.meta.url)), "extensions");
const CHAT = PROTOCOLS.find(({ api }) => api === "openai-completions") as Protocol;

/** What the model answers: a text, calls of tools, or a reply as it is. */
export type Step = string | { readonly call: string; readonly input?: object }[] | WireReply;

export interface SeatOptions {
  /** Files of the corpus, in load order. */
  readonly extensions: readonly string[];
  readonly steps?: readonly Step[];
  /** Answers of the user, in order. Without them nobody is there. */
  readonly answers?: readonly unknown[];
  readonly request?: Partial<AgentRequest>;
  readonly env?: Readonly<Record<string, string>>;
  /** More settings of the user. */
  readonly settings?: object;
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}

/** One request as it arrived at the provider. */
interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[];
}

export interface Seat {
  readonly started: StartedAgent;
  readonly server: WireServer;
  readonly cwd: string;
  readonly home: string;
  /** What was asked and told, as `info: hello` and `select: Which? a | b`. */
  readonly said: string[];
  /** What went wrong in extensions. */
  readonly problems: string[];
  send(text: string): Promise<void>;
  request(number: number): ChatRequest;
  /** Everything a request told the model, as one text. */
  told(number: number): string;
}

export function reply(step: Step): WireReply {
  if (typeof step === "object" && !Array.isArray(step)) return step as WireReply;
  const parts: SpokenPart[] =
    typeof step === "string"
      ? [{ text: step }]
      : (step as { call: string; input?: object }[]).map(({ call, input = {} }, index) => ({
          call: `${call}-${index + 1}`,
          name: call,
          input: JSON.stringify(input),
        }));
  return says(CHAT, { parts, stop: typeof step === "string" ? "stop" : "toolUse" });
}

export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly cwd: string;
  readonly server: WireServer;
  readonly request: AgentRequest;
}

/** A home whose models answer from a script, and a project with one file. */
export async function makePlace(options: SeatOptions): Promise<Place> {
  const { extensions, steps = [], request = {}, env = {}, settings: more = {}, files = {} } = options;
  const folder = tempFolder();
  const home = join(folder, "home");
  const cwd = join(folder, "project");
  mkdirSync(home);
  mkdirSync(cwd);
  for (const [path, text] of Object.entries({ "notes.txt": "water the oak\n", ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const server = await wireServer();
  afterTest(() => server.close());
  server.reply(...steps.map(reply));
  const models = ["first", "second"].map((id) => ({
    id,
    contextWindow: 100_000,
    maxOutput: 8000,
    reasoning: true,
    prices: { input: 1000, output: 1000 },
  }));
  const settings = {
    model: "wire/first",
    permissionMode: "auto",
    ...more,
    models: { providers: { wire: { api: "openai-completions", baseUrl: `${server.origin}/v1`, models } } },
  };
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  afterTest(() => vi.unstubAllEnvs());
  vi.stubEnv("BOUGH_HOME", home);
  vi.stubEnv("HOME", folder);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return {
    folder,
    home,
    cwd,
    server,
    request: {
      session: { kind: "new" },
      extensions: extensions.map((name) => corpusFile(name, folder)),
      extensionPlaces: "named",
      trust: false,
      cwd,
      ...request,
    } as AgentRequest,
  };
}

/** Folders are copied, with what they depend on installed beside them. */
function corpusFile(name: string, folder: string): string {
  if (name.startsWith("/") || /\.[cm]?[jt]s$/.test(name)) return join(CORPUS, name);
  const copy = join(folder, "extensions", name);
  cpSync(join(CORPUS, name), copy, { recursive: true });
  if (existsSync(join(copy, "deps"))) cpSync(join(copy, "deps"), join(copy, "node_modules"), { recursive: true });
  return copy;
}

export async function sit(options: SeatOptions): Promise<Seat> {
  const place = await makePlace(options);
  const said: string[] = [];
  const problems: string[] = [];
  const { answers } = options;
  const started = await startAgent(place.request, {
    ui: () => scriptedUi(said, answers === undefined ? undefined : [...answers]),
    hasUi: answers !== undefined,
    version: "0",
    mode: "print",
  } as Parameters<typeof startAgent>[1]);
  afterTest(() => started.close());
  started.listen((event) => {
    if (event.type === "extension_problem") problems.push(`${event.extension} ${event.event}: ${event.message}`);
  });
  await started.begin();
  await started.agent.whenIdle();
  const request = (number: number) => {
    const found = place.server.requests[number - 1];
    if (found === undefined) throw new Error(`there were ${place.server.requests.length} requests`);
    return found.body as ChatRequest;
  };
  return {
    started,
    server: place.server,
    cwd: place.cwd,
    home: place.home,
    said,
    problems,
    send: async (text) => {
      await started.submit(text);
      await started.agent.whenIdle();
    },
    request,
    told: (number) => JSON.stringify(request(number).messages),
  };
}

/** A user who answers in order; a question beyond the last answer is left unanswered. */
function scriptedUi(said: string[], answers: unknown[] | undefined): ExtensionUi {
  const silent = silentUi((message, level) => said.push(`${level}: ${message}`));
  const answer = async (line: string): Promise<never> => {
    said.push(line);
    return answers?.shift() as never;
  };
  if (answers === undefined) return silent;
  return {
    ...silent,
    select: (title, options) => answer(`select: ${title} ${options.join(" | ")}`),
    confirm: (title, message) => answer(`confirm: ${title} ${message}`),
    input: (title, placeholder) => answer(`input: ${title} ${placeholder}`),
    editor: (title, text) => answer(`editor: ${title} ${text}`),
  };
}
