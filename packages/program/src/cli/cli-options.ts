/** Parses the arguments into options. Pure; throws usage errors. */

import { parseArgs } from "node:util";
import type { RunLimits } from "@bough/agent/agent/index.js";
import { THINKING_LEVELS, type ThinkingLevel } from "@bough/agent/model/index.js";
import { SANDBOX_CHOICES, type SandboxChoice } from "@bough/agent/project/index.js";
import { PERMISSION_MODES, type PermissionMode } from "@bough/agent/tool/index.js";
import { OWN_AGENT } from "../command/door.js";
import { usageError } from "./cli-error.js";
import type { ExtensionArguments, GivenFlag } from "./extension-arguments.js";
import { FLAGS } from "./flags.js";
import { RUN_FLAGS, runLimits } from "./run-flags.js";

const CLI_MODES = ["text", "json", "rpc"] as const;

const OUTPUT_FORMATS = ["text", "json", "stream"] as const;
/** What `-p` prints: the answer, one JSON object, or events as JSON lines. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Which session to work in. */
export type SessionChoice =
  | { readonly kind: "new" | "memory" | "continue" }
  /** `reference` is what a user typed: path, id, start of an id, name, each with an optional `#entry`. */
  | { readonly kind: "open" | "fork"; readonly reference: string }
  | { readonly kind: "id"; readonly id: string };

export interface AgentRequest {
  readonly session: SessionChoice;
  readonly sessionDir?: string;
  readonly name?: string;
  /** Who does the turns: another agent, or `bough`. Default: who did the last one. */
  readonly driver?: string;
  /** Of Bough's own agent, or of the other one. */
  readonly model?: string;
  /** How much the model of another agent thinks. */
  readonly effort?: string;
  readonly thinkingLevel?: ThinkingLevel;
  readonly tools?: readonly string[];
  readonly permissionMode?: PermissionMode;
  /** Permission rules, as they were typed. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: SandboxChoice;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: readonly string[];
  /** Paths of extensions named on the command line. */
  readonly extensions: readonly string[];
  /** `named`: only those. */
  readonly extensionPlaces: "all" | "named";
  /** Unknown options, if there are any: an extension may define them. */
  readonly extensionArguments?: ExtensionArguments;
  readonly trust: boolean;
  readonly cwd?: string;
}

/** Appearance of the terminal. Anything omitted is detected. */
interface ScreenOptions {
  /** Lines of text, printed once: for screen readers and dumb terminals. */
  readonly plain: boolean;
  readonly ascii: boolean;
}

export type InteractiveRequest = Extract<CliRequest, { kind: "interactive" }>;

/** Where to find the extensions whose flags the help lists. */
export type HelpPlaces = Pick<AgentRequest, "cwd" | "extensions" | "extensionPlaces" | "trust">;

export type CliRequest =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly places: HelpPlaces }
  /**
   * Interactive. The prompt, if any, is sent at once. Here and below it still contains values of extension flags; it is
   * parsed again once extensions are loaded.
   */
  | {
      readonly kind: "interactive";
      readonly agent: AgentRequest;
      readonly prompt: string;
      readonly screen: ScreenOptions;
      /** Opens a copy of the bundled session, which is deleted at the end. */
      readonly demo: boolean;
    }
  | { readonly kind: "rpc"; readonly agent: AgentRequest }
  | {
      readonly kind: "print";
      readonly output: OutputFormat;
      readonly limits: RunLimits;
      /** The file with a JSON Schema for the answer. */
      readonly schema: string | undefined;
      readonly prompt: string;
      readonly verbose: boolean;
      /** Refused tool calls count as a failure. */
      readonly strict: boolean;
      readonly agent: AgentRequest;
      /** False if only other arguments imply it: then text must be piped in. */
      readonly explicit: boolean;
    };

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

interface Surroundings {
  /** Whether a user can type and see the output. */
  readonly terminal: boolean;
}

export function parseCliOptions(args: readonly string[], { terminal }: Surroundings): CliRequest {
  const { known, unknown } = withoutUnknown(withEmptyValues(args));
  const { values, words, wordAt } = parse(known);
  if (values.help === true) return { kind: "help", places: extensionChoice(values) };
  if (values.version === true) return { kind: "version" };
  if (isOtherAgent(values)) refuseModelFlags(values);
  const mode = oneOf(values, "mode", CLI_MODES);
  const format = oneOf(values, "output-format", OUTPUT_FORMATS);
  const flags = unknown.map(({ name, value, next }) => ({ name, value, next: wordAt(next) }));
  const agent = { ...agentRequest(values), extensionArguments: flags.length === 0 ? undefined : { flags, words } };
  const choosesSession = values.resume === "";
  const explicit = values.print === true || mode !== undefined || format !== undefined;
  if (choosesSession) refuseChoice({ terminal, explicit, words });
  const prompt = choosesSession ? "/resume" : words.join(" ");
  if (mode === "rpc") {
    if (values.print === true) throw usageError("--print and --mode rpc cannot be combined");
    if (format !== undefined) throw usageError("--output-format and --mode rpc cannot be combined");
    refuseRunFlags(values, "Send limits and a schema with the method prompt instead.");
    if (flags.length === 0) refusePrompt(prompt);
    return { kind: "rpc", agent };
  }
  const demo = values.demo === true;
  const screen = { plain: values.plain === true, ascii: values.ascii === true };
  if (demo && agent.session.kind !== "new") throw usageError("--demo opens its own session");
  if (!explicit && (terminal || demo || screen.plain)) {
    refuseRunFlags(values, "Add -p to answer one prompt and exit.");
    return { kind: "interactive", agent, prompt, screen, demo };
  }
  return {
    kind: "print",
    output: outputFormat(mode, format),
    limits: runLimits({
      turns: text(values, "max-turns"),
      tokens: text(values, "max-tokens"),
      cost: text(values, "max-cost"),
      timeout: text(values, "timeout"),
    }),
    schema: text(values, "schema"),
    prompt,
    verbose: values.verbose === true,
    strict: values.strict === true,
    agent,
    explicit,
  };
}

/** `--mode json` is the older name of `--output-format stream`. */
function outputFormat(mode: "text" | "json" | undefined, format: OutputFormat | undefined): OutputFormat {
  const older = mode === "json" ? "stream" : mode;
  if (older !== undefined && format !== undefined && older !== format) {
    throw usageError(`--mode ${mode} and --output-format ${format} cannot be combined`, "Use --output-format alone.");
  }
  return format ?? older ?? "text";
}

/** Refuse a limit that would be ignored. */
function refuseRunFlags(values: Values, hint: string): void {
  const given = RUN_FLAGS.find((name) => values[name] !== undefined);
  if (given !== undefined) throw usageError(`--${given} works only with --print`, hint);
}

/** Refuse what only Bough's own agent has. */
function refuseModelFlags(values: Values): void {
  const given = MODEL_FLAGS.find((name) => values[name] !== undefined);
  if (given !== undefined) {
    throw usageError(`--${given} does not work with --agent`, "Set it in the agent's own program.");
  }
}

function isOtherAgent(values: Values): boolean {
  return values.agent !== undefined && values.agent !== OWN_AGENT;
}

/** What another agent decides itself. */
const MODEL_FLAGS = ["tools", "system-prompt", "append-system-prompt", "schema", "sandbox", "demo"] as const;

/** A list needs a user to choose from it. */
function refuseChoice({
  terminal,
  explicit,
  words,
}: Surroundings & { readonly explicit: boolean; readonly words: readonly string[] }): void {
  if (words.length > 0) throw usageError("--resume without a session does not take a prompt");
  if (explicit || !terminal)
    throw usageError("--resume needs a session here", "bough ls lists them; bough -r <id> resumes one.");
}

/** `-r` at the end, or before another flag, has no value, so write `--resume=`. */
function withEmptyValues(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return args.map((arg, at) => {
    const next = args[at + 1];
    const isLast = next === undefined || next.startsWith("-");
    if (!isLast || (end !== -1 && at > end) || takesValue(args[at - 1])) return arg;
    const named = Object.entries(FLAGS).find(
      ([name, { short, optional }]) => optional === true && [`--${name}`, `-${short}`].includes(arg),
    );
    return named === undefined ? arg : `--${named[0]}=`;
  });
}

/** RPC clients send prompts themselves. */
export function refusePrompt(prompt: string): void {
  if (prompt !== "")
    throw usageError("--mode rpc does not take a prompt", "Send a request with the method prompt instead.");
}

/** Removes unknown long options. `next` is the index in `known` of what may be the option's value. */
function withoutUnknown(args: readonly string[]): {
  readonly known: readonly string[];
  readonly unknown: readonly GivenFlag[];
} {
  const known: string[] = [];
  const unknown: GivenFlag[] = [];
  const end = args.indexOf("--");
  for (const [at, arg] of args.entries()) {
    const [, name = "", value] = /^--([a-z][a-z0-9._-]*)(?:=([\s\S]*))?$/i.exec(arg) ?? [];
    const isOurs = name === "" || Object.hasOwn(FLAGS, name) || (end !== -1 && at > end) || takesValue(args[at - 1]);
    if (isOurs) known.push(arg);
    // Anything that starts with a dash is another option; as a value it needs `=`.
    else
      unknown.push({
        name,
        value,
        next: args[at + 1]?.startsWith("-") === false ? known.length : undefined,
      });
  }
  return { known, unknown };
}

/** Whether the argument after this one is its value. */
function takesValue(arg: string | undefined): boolean {
  const match = /^(?:--([a-z-]+)|-([a-z]))$/.exec(arg ?? "");
  const [, long, short] = match ?? [];
  const flag = Object.entries(FLAGS).find(([name, { short: letter }]) => name === long || (short && letter === short));
  return flag?.[1].value !== undefined;
}

interface Parsed {
  readonly values: Values;
  /** The arguments that are neither options nor their values. */
  readonly words: readonly string[];
  /** The index in `words` of the argument with this index. */
  readonly wordAt: (index: number | undefined) => number | undefined;
}

function parse(args: readonly string[]): Parsed {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { short, value, repeatable }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short }),
        ...(repeatable === true ? { multiple: true } : {}),
      },
    ]),
  );
  try {
    const { values, tokens } = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const words = tokens.flatMap((token) => (token.kind === "positional" ? [token] : []));
    const places = new Map(words.map(({ index }, at) => [index, at]));
    const wordAt = (index: number | undefined) => (index === undefined ? undefined : places.get(index));
    return { values: values as Values, words: words.map(({ value }) => value), wordAt };
  } catch (error) {
    // Keep only the first sentence; the rest is about obscure syntax.
    const [sentence] = (error as Error).message.split(/[.\n]\s?(?=[A-Z]|$)/);
    throw usageError(sentence ?? "Invalid arguments");
  }
}

function agentRequest(values: Values): AgentRequest {
  const tools = text(values, "tools");
  const sessionDir = text(values, "session-dir");
  const name = text(values, "name");
  const driver = oneOf(values, "agent", FLAGS.agent?.choices ?? []);
  const model = text(values, "model");
  // Other agents have levels of their own.
  const effort = isOtherAgent(values) ? text(values, "thinking") : undefined;
  const thinkingLevel = effort === undefined ? oneOf(values, "thinking", THINKING_LEVELS) : undefined;
  const permissionMode = oneOf(values, "permission", PERMISSION_MODES);
  const sandbox = oneOf(values, "sandbox", SANDBOX_CHOICES);
  const systemPrompt = text(values, "system-prompt");
  const appendSystemPrompt = several(values, "append-system-prompt");
  return {
    session: sessionChoice(values),
    sessionDir,
    name,
    driver,
    model,
    effort,
    thinkingLevel,
    tools: tools === undefined ? undefined : splitNames(tools),
    permissionMode,
    sandbox,
    systemPrompt,
    appendSystemPrompt,
    allow: several(values, "allow"),
    deny: several(values, "deny"),
    ...extensionChoice(values),
  };
}

function extensionChoice(values: Values): HelpPlaces {
  return {
    extensions: (values.extension as readonly string[] | undefined) ?? [],
    extensionPlaces: values["no-extensions"] === true ? "named" : "all",
    trust: values.trust === true,
    cwd: text(values, "cwd"),
  };
}

function several(values: Values, name: string): readonly string[] | undefined {
  const given = values[name] as readonly string[] | undefined;
  if (given?.some((value) => value.trim() === "") === true) throw usageError(`--${name} needs a value`);
  return given;
}

/** At most one flag may select the session. */
function sessionChoice(values: Values): SessionChoice {
  const said = ["continue", "resume", "session", "session-id", "fork", "no-session"].filter(
    (name) => values[name] !== undefined,
  );
  if (said.length > 1) throw usageError(`--${said[0]} and --${said[1]} cannot be combined`);
  if (values["no-session"] === true && values["session-dir"] !== undefined)
    throw usageError("--no-session and --session-dir cannot be combined");
  const [flag] = said;
  if (flag === undefined || values[flag] === "") return { kind: "new" };
  if (flag === "no-session") return { kind: "memory" };
  if (flag === "continue") return { kind: "continue" };
  const value = text(values, flag) as string;
  if (flag === "fork") return { kind: "fork", reference: value };
  if (flag !== "session-id") return { kind: "open", reference: value };
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(value))
    throw usageError(
      "--session-id takes letters, digits, dots, dashes and underscores, and starts with a letter or digit",
    );
  return { kind: "id", id: value };
}

function splitNames(list: string): string[] {
  const names = list.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "none");
}

function text(values: Values, name: string): string | undefined {
  const value = values[name];
  if (typeof value !== "string") return undefined;
  if (value.trim() === "" && name !== "tools") throw usageError(`--${name} needs a value`);
  return value;
}

function oneOf<Choice extends string>(values: Values, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw usageError(`Invalid value for --${name}: ${value}`, `Choose one of ${choices.join(", ")}.`);
  return choice;
}
