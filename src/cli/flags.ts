/** The flags there are. One table: arguments are parsed with it and `--help` is made from it. */
export interface Flag {
  readonly short?: string;
  /** Name of the value in the help; a flag without one is on or off. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

export const FLAG_GROUPS = {
  "What to do": {
    print: { short: "p", help: "answer one prompt and exit; piped text is the prompt, or is added to it" },
    mode: { value: "text|json|rpc", help: "print the answer, print every event as JSON, or speak JSON lines" },
    demo: { help: "open a sample session to try the tree; nothing is saved" },
    help: { short: "h", help: "show this" },
    version: { short: "V", help: "show the version" },
  },
  "Which session": {
    continue: { short: "c", help: "resume the last session of this folder" },
    resume: { short: "r", value: "session", help: "resume a session by its path, ID, start of its ID, or name" },
    session: { value: "session", help: "the same; session#entry starts from an entry (id, start of it, or label)" },
    "session-id": { value: "id", help: "resume the session with this exact ID, or create it" },
    fork: { value: "session", help: "copy a session and open the copy; session#entry copies up to an entry" },
    "no-session": { help: "keep the conversation in memory and write nothing" },
    "session-dir": { value: "folder", help: "store and look up sessions in this folder" },
    name: { value: "name", help: "name the session" },
  },
  "How to work": {
    model: { value: "model", help: "provider/model, or a part of a name that only one model has" },
    thinking: { value: "level", help: "off, minimal, low, medium or high" },
    tools: { value: "names", help: "the tools the model may use, separated by commas; none for no tools" },
    permission: { value: "ask|auto|read-only", help: "what tools may do (default read-only if it cannot ask)" },
    "system-prompt": { value: "text", help: "replace the system prompt" },
    "append-system-prompt": { value: "text", help: "add instructions after all others" },
    extension: { value: "path", repeatable: true, help: "load an extension; can be given several times" },
    "no-extensions": { help: "load only extensions given with --extension" },
    trust: { help: "use this project's own extensions and settings, this time" },
    cwd: { value: "folder", help: "work in this folder" },
    plain: { help: "plain terminal: lines of text, numbered lists, no redrawing" },
    ascii: { help: "draw with plain ASCII characters" },
    verbose: { help: "report progress on standard error, even if it is not a terminal" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Flag>>>>;

/** All flags by name, in the order of the help. */
export const FLAGS: Readonly<Record<string, Flag>> = Object.assign({}, ...Object.values(FLAG_GROUPS));

/** What the help says of a subcommand. */
interface ListedSubcommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
}

/** The text of `--help`. */
export function helpText(commands: readonly ListedSubcommand[] = []): string {
  const lines = ["Usage: bough [flags] [prompt]", "       bough <command> [flags]", "       bough demo", ""];
  const longest = Math.max(0, ...commands.map(({ name, usage }) => name.length + usage.length));
  lines.push("Commands (each has --help):");
  for (const { name, usage, summary } of commands) {
    lines.push(`  ${`${name} ${usage}`.padEnd(longest + 1)}  ${summary}`);
  }
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

function flagText(name: string, { short, value }: Flag): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;
}

const EXAMPLES = [
  "Examples:",
  "  bough                    opens the terminal",
  "  bough -c                 resumes where you left off",
  "  bough demo               opens a session to look around in",
  '  bough -p "what is in this folder?"',
  '  git diff | bough -p "review this"',
  '  bough -p -c "and the tests?"',
  '  bough -p --session 4f2a#before-rewrite "try it with a library"',
  "  bough ls --all           lists every session there is",
  "  bough --mode rpc",
  "",
  "If a prompt starts with the name of a command, quote the whole prompt or put it after --.",
  "",
  "Exit codes: 0 success, 1 failure, 2 usage error, 3 damaged session, 130 interrupted, 143 terminated.",
];
