/** `bough mcp add`: saves a server without starting it. */
import { dirname } from "node:path";
import { type McpServerSettings, serverNameProblem, serverProblem } from "@bough/agent/mcp/index.js";
import { changeServer, type ServerScope, serversFile } from "@bough/agent/project/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import { isTrusted } from "../extension/extension-scope.js";
import type { FlagValues } from "../flag-values.js";
import type { SubcommandCall } from "../subcommand.js";
import { serverFacts, shownTarget } from "./server-facts.js";

export async function run({ args, flags, out, places: { cwd } }: SubcommandCall): Promise<number> {
  const [name = "", ...target] = args;
  const wrongName = serverNameProblem(name);
  if (wrongName !== undefined) throw usageError(`${wrongName}: ${name}`);
  const settings = settingsOf(target, flags);
  const problem = serverProblem(settings);
  if (problem !== undefined) throw usageError(problem);
  const home = boughHome();
  const scope = (flags.text("scope") ?? "user") as ServerScope;
  const file = serversFile(scope, { cwd, home });
  changeServer({
    file,
    within: scope === "user" ? dirname(file) : cwd,
    name,
    change: (before) => {
      if (before !== undefined && !flags.isOn("force")) {
        throw usageError(`${file} already has a server ${name}`, "Pass --force to replace it.");
      }
      return settings;
    },
  });
  const source = { kind: scope, file } as const;
  if (out.json) out.value({ added: serverFacts({ name, settings, source }) });
  else {
    out.line(`Added ${name} to ${file}: ${shownTarget(settings)}`);
    out.line(`To try it: bough mcp test ${name}`);
  }
  for (const sentence of warnings(settings, scope, cwd)) out.notice(`bough: ${sentence}`);
  return 0;
}

function settingsOf([first = "", ...rest]: readonly string[], flags: FlagValues): McpServerSettings {
  const env = pairs(flags.all("env"), { flag: "env", pattern: /^([A-Za-z_]\w*)=([\s\S]*)$/, example: "NAME=value" });
  const headers = pairs(flags.all("header"), {
    flag: "header",
    pattern: /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n]*)$/,
    example: "Name: value",
  });
  if (!/^https?:\/\//i.test(first)) {
    if (headers !== undefined) throw usageError("--header is for servers with a URL; use --env for a command");
    return defined({ command: first, args: rest.length === 0 ? undefined : rest, env });
  }
  if (!URL.canParse(first)) throw usageError(`Not a valid URL: ${first}`);
  if (rest.length > 0) throw usageError(`Unexpected argument ${rest[0]} after the URL`);
  if (env !== undefined) throw usageError("--env is for servers that are started; use --header for a URL");
  return { type: "http", url: first, ...defined({ headers }) };
}

interface PairForm {
  readonly flag: string;
  readonly pattern: RegExp;
  readonly example: string;
}

function pairs(given: readonly string[], { flag, pattern, example }: PairForm): Record<string, string> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = pattern.exec(text) ?? [];
      // The value may be a secret, so do not repeat it.
      if (name === undefined || value === undefined) throw usageError(`--${flag} takes ${example}`);
      return [name, value];
    }),
  );
}

function* warnings({ env, headers, url }: McpServerSettings, scope: ServerScope, cwd: string): Generator<string> {
  const values = Object.values({ ...env, ...headers });
  if (scope === "project" && values.some((value) => !/\$\{/.test(value))) {
    yield `Values given with --env and --header are in .mcp.json as text; for a secret, use '\${NAME}'`;
  }
  if (url !== undefined && /^http:\/\/(?!localhost[:/]|127\.|\[::1\])/i.test(url) && headers !== undefined) {
    yield "The headers are sent unencrypted; use an https URL";
  }
  if (scope !== "user" && !isTrusted(cwd)) {
    yield "This project is not trusted yet: run bough here once and trust it, or the server is not used";
  }
}
