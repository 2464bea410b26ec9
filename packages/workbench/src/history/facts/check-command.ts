/** Recognizes shell commands that check work, and whether a command passed. */

/** Test runners, linters, compilers and builds, matched at the start of a simple command. */
const CHECKS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun)(?: run(?:-script)?)? (?:t|tests?|lint|check|build|typecheck|type-check|tsc|verify|ci)\b/,
  /^(?:npx |bunx |pnpm (?:exec|dlx) |yarn )?(?:vitest|jest|mocha|ava|tap|playwright|cypress|tsc|eslint|biome|oxlint)\b/,
  /^node (?:--\S+ )*--test\b/,
  /^(?:deno|bun) (?:test|lint|check)\b/,
  /^(?:uv run |poetry run |pipenv run )?(?:python3? -m )?(?:pytest|tox|nox|mypy|pyright|ruff|flake8|pylint|unittest)\b/,
  /^cargo (?:\+\S+ )?(?:test|nextest|check|build|clippy)\b/,
  /^go (?:test|vet|build)\b/,
  /^(?:make|just|task|rake|bazel|ninja)(?: -\S+)*(?: (?:test|tests|check|lint|build|all|verify)\b|$)/,
  /^(?:\.\/)?(?:gradlew?|mvnw?) /,
  /^dotnet (?:test|build)\b/,
  /^(?:ctest|rspec|phpunit|swift (?:test|build)|mix (?:test|compile)|bundle exec rspec|shellcheck)\b/,
  /^(?:\.\/|bash |sh )?(?:\S*\/)?(?:test|tests|check|verify|run[-_]tests?)(?:\.sh)?(?:\s|$)/,
];

const LONGEST = 2_000;

/** The part of a command line that checks something: `npm test` in `cd app && CI=1 npm test 2>&1 | tail`. */
export function checkIn(commandLine: string): string | undefined {
  for (const simple of commandLine.slice(0, LONGEST).split(/&&|\|\||[;|\n]/)) {
    const command = simple
      .trim()
      .replace(/^(?:(?:[A-Za-z_]\w*=\S*|env|time|sudo|command|timeout \S+)\s+)+/, "")
      .replace(/\s*\d?>(?:&\d|\s*\S+).*$/, "")
      .replace(/\s+/g, " ");
    if (CHECKS.some((check) => check.test(command))) return command;
  }
  return undefined;
}

/** As reported by Bough, Claude Code, Codex, Gemini CLI and opencode. */
const EXIT_CODE = /\b(?:exit(?:ed with)?(?: |_)code|exit status)\b["']?\s*[:=]?\s*(-?\d+)/gi;

export interface CommandEnd {
  readonly failed: boolean;
  readonly exitCode?: number;
}

/**
 * How a command ended, from what its agent recorded: a field of the details, words in the output, or the error flag.
 */
export function commandEnd(
  output: string,
  recorded: { readonly isError: boolean; readonly details: unknown },
): CommandEnd {
  const code = codeIn(recorded.details) ?? codeSaid(output);
  if (code !== undefined) return { failed: code !== 0, exitCode: code };
  return { failed: recorded.isError };
}

function codeIn(details: unknown): number | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  const { exitCode, exit_code: other, exit } = details as Readonly<Record<string, unknown>>;
  return [exitCode, other, exit].find((code) => typeof code === "number");
}

/** Only looks at the start and the end of the output: in the middle, such words are about something else. */
function codeSaid(output: string): number | undefined {
  const ends = output.length <= 800 ? output : `${output.slice(0, 400)}\n${output.slice(-400)}`;
  const last = [...ends.matchAll(EXIT_CODE)].at(-1);
  return last === undefined ? undefined : Number(last[1]);
}
