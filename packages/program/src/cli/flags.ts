/** All flags. The parser and `--help` both use this table. */
export interface Flag {
  readonly short?: string;
  /** Placeholder of the value in the help; a flag without one is a switch. */
  readonly value?: string;
  /** The allowed values, if there are few. Anything else is a usage error. */
  readonly choices?: readonly string[];
  /** Without a value, the user chooses from a list. */
  readonly optional?: true;
  readonly repeatable?: true;
  readonly help: string;
}

export const FLAG_GROUPS = {
  "What to do": {
    print: { short: "p", help: "answer one prompt and exit; piped input is the prompt, or is added to it" },
    mode: {
      value: "text|json|rpc",
      choices: ["text", "json", "rpc"],
      help: "serve RPC as JSON lines; text and json are -p with --output-format text and stream",
    },
    demo: { help: "open a sample session to try the tree; nothing is saved" },
    help: { short: "h", help: "show this help" },
    version: { short: "V", help: "print the version" },
  },
  "Which session": {
    continue: { short: "c", help: "resume the last session in this folder" },
    resume: {
      short: "r",
      value: "session",
      optional: true,
      help: "resume a session by path, ID, start of ID, or name; without one, choose from a list",
    },
    session: {
      value: "session",
      help: "same as --resume; session#entry starts from an entry (ID, start of ID, or label)",
    },
    "session-id": { value: "id", help: "resume the session with this exact ID, or create it" },
    fork: { value: "session", help: "copy a session and open the copy; session#entry copies up to an entry" },
    "no-session": { help: "keep the conversation in memory and write nothing" },
    "session-dir": { value: "folder", help: "store and look up sessions in this folder" },
    name: { value: "name", help: "name the session" },
  },
  "How to work": {
    agent: {
      value: "claude|codex|opencode|gemini|pi|bough",
      choices: ["claude", "codex", "opencode", "gemini", "pi", "bough"],
      help: "who does the turns (default: who did the last one); see docs/agents.md",
    },
    model: {
      value: "model",
      help: "provider/model, or any unambiguous part of a model name; with --agent, one of its own",
    },
    thinking: { value: "level", help: "off, minimal, low, medium or high; with --agent, one of its own levels" },
    tools: { value: "names", help: "comma-separated tools the model may use; none for no tools" },
    permission: {
      value: "mode",
      help: "what tools may do: plan, ask, edits, auto or read-only (default ask; read-only if it cannot prompt)",
    },
    allow: {
      value: "rule",
      repeatable: true,
      help: "allow without asking, such as 'bash(npm test:*)' or 'edit(src/**)'; repeatable",
    },
    deny: { value: "rule", repeatable: true, help: "never allow; wins over everything else; repeatable" },
    sandbox: {
      value: "on|off|auto",
      help: "run shell commands in a sandbox: always, never, or in permission mode auto",
    },
    "system-prompt": { value: "text|file", help: "replace the system prompt" },
    "append-system-prompt": { value: "text|file", repeatable: true, help: "append to the system prompt; repeatable" },
    extension: { value: "path", repeatable: true, help: "load an extension; repeatable" },
    "no-extensions": { help: "load only extensions given with --extension" },
    trust: { help: "trust this project's extensions and settings for this run" },
    cwd: { value: "folder", help: "work in this folder" },
    plain: { help: "plain text output: numbered lists, no redrawing" },
    ascii: { help: "use only ASCII characters" },
    verbose: { help: "show progress on standard error, even if it is not a terminal" },
  },
  "With -p, for scripts and CI": {
    "output-format": {
      value: "text|json|stream",
      choices: ["text", "json", "stream"],
      help: "print the answer, one JSON object at the end, or every event as a JSON line (default text)",
    },
    schema: { value: "file", help: "require an answer that matches this JSON Schema" },
    "max-turns": { value: "n", help: "stop after N model steps" },
    "max-tokens": { value: "n", help: "stop when N tokens are used, cached ones included" },
    "max-cost": { value: "dollars", help: "stop when the model has cost this much; needs a model with known prices" },
    timeout: { value: "duration", help: "stop after this time, such as 90s, 10m or 1h30m" },
    strict: { help: "exit with 4 if a tool call was refused" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Flag>>>>;

/** All flags by name, in the order of the help. */
export const FLAGS: Readonly<Record<string, Flag>> = Object.assign({}, ...Object.values(FLAG_GROUPS));

/** The text of `--help`. */
export function helpText(commands: readonly { readonly name: string; readonly summary: string }[] = []): string {
  const lines = ["Usage: bough [flags] [prompt]", "       bough <command> [flags]", "       bough demo", ""];
  const longest = Math.max(0, ...commands.map(({ name }) => name.length));
  lines.push("Commands (arguments and flags: bough <command> --help):");
  for (const { name, summary } of commands) lines.push(`  ${name.padEnd(longest)}  ${summary}`);
  lines.push("");
  const width = Math.max(...Object.entries(FLAGS).map(([name, flag]) => flagText(name, flag).length));
  for (const [group, flags] of Object.entries(FLAG_GROUPS)) {
    lines.push(`${group}:`);
    for (const [name, flag] of Object.entries<Flag>(flags)) {
      lines.push(`  ${flagText(name, flag).padEnd(width)}  ${flag.help}`);
    }
    lines.push("");
  }
  return `${[...lines, ...EXAMPLES].join("\n")}\n`;
}

/** A flag that an extension registered. */
export interface ExtensionFlagHelp {
  readonly name: string;
  readonly extension: string;
  readonly type: "boolean" | "string";
  readonly description?: string;
  readonly default?: string | boolean;
}

/** The section of `--help` for extensions' flags; empty if there are none. */
export function extensionFlagsText(flags: readonly ExtensionFlagHelp[]): string {
  if (flags.length === 0) return "";
  const rows = flags.map((flag) => ({
    usage: flagText(flag.name, { help: "", value: flag.type === "string" ? "value" : undefined }),
    about: [
      ...(typeof flag.description === "string" ? [flag.description] : []),
      ...(flag.default === undefined || flag.default === false ? [] : [`(default ${flag.default})`]),
      `[${flag.extension}]`,
    ],
  }));
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const lines = rows.map(({ usage, about }) => `  ${usage.padEnd(width)}  ${about.join(" ").replace(/\s+/g, " ")}`);
  return ["", "Flags of extensions:", ...lines, ""].join("\n");
}

function flagText(name: string, { short, value, optional }: Flag): string {
  const given = value === undefined ? "" : optional === true ? ` [${value}]` : ` <${value}>`;
  return `${short === undefined ? "    " : `-${short}, `}--${name}${given}`;
}

const EXAMPLES = [
  "Examples:",
  "  bough                    start a session in the terminal",
  "  bough -c                 resume where you left off",
  "  bough demo               try a sample session",
  '  bough -p "what is in this folder?"',
  '  git diff | bough -p "review this"',
  '  bough -p -c "and the tests?"',
  '  bough -p --session 4f2a#before-rewrite "try it with a library"',
  '  bough -p --output-format json --max-cost 0.50 --timeout 10m "fix the failing test"',
  "  bough ls --all           list every session",
  "  bough --mode rpc",
  "",
  "If a prompt starts with the name of a command, quote the whole prompt or put it after --.",
  "",
  "Exit codes: 0 success, 1 failure, 2 usage error, 3 damaged session, 4 refused tool (--strict),",
  "  5 model failed, 6 no model or key, 7 limit reached, 8 schema not met, 130 interrupted, 143 terminated.",
];
