/** A home folder in which five agents were used: the transcripts of the project, laid out as the programs do it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SAMPLES = fileURLToPath(new URL("../fixtures/interop", import.meta.url));
/** The folder the transcripts were made in. */
const ORIGINAL = "/home/dev/project";

export interface AgentsHome {
  /** Becomes the folder the agents worked in. */
  readonly cwd: string;
  readonly home: string;
}

/** The transcripts by name: `claude-code/rewind`. Nine sessions of five agents; sub-agents are parts of two of them. */
export function layOutAgents({ home, cwd }: AgentsHome): Readonly<Record<string, string>> {
  const made: Record<string, string> = {};
  const put = (sample: string, target: string): void => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(join(SAMPLES, sample), "utf8").replaceAll(ORIGINAL, cwd));
  };
  const keep = (sample: string, target: string): void => {
    put(sample, target);
    made[sample.replace(/\.jsonl?$/, "")] = target;
  };
  const dashed = cwd.replace(/[^A-Za-z0-9]/g, "-");
  const claude = join(home, ".claude/projects", dashed);
  keep("claude-code/rewind.jsonl", join(claude, "9b1f6a52-6f0e-4a53-9a4e-2f1f0f1c7b11.jsonl"));
  const subagent = "700a8432-0d71-4294-bebc-a5f440a156b4";
  keep(`claude-code/subagent/${subagent}.jsonl`, join(claude, `${subagent}.jsonl`));
  for (const name of readdirSync(join(SAMPLES, "claude-code/subagent", subagent, "subagents"))) {
    put(`claude-code/subagent/${subagent}/subagents/${name}`, join(claude, subagent, "subagents", name));
  }
  const rollout = "rollout-2026-11-15T08-50-01-01a1de66-2f95-7361-a035-2c1db9b1d6c0.jsonl";
  keep(`codex/${rollout}`, join(home, ".codex/sessions/2026/11/15", rollout));
  const gemini = join(home, ".gemini/tmp", basename(cwd));
  for (const name of readdirSync(join(SAMPLES, "gemini"))) keep(`gemini/${name}`, join(gemini, "chats", name));
  writeFileSync(join(gemini, ".project_root"), cwd);
  const pi = join(home, ".pi/agent/sessions", `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`);
  keep("pi/branches.jsonl", join(pi, "2026-11-15T08-51-45-698Z_01a1de67-c7a2-761b-bcfe-77d8dcc9de95.jsonl"));
  const storage = join(home, ".local/share/opencode/storage");
  for (const name of readdirSync(join(SAMPLES, "opencode")))
    made[`opencode/${basename(name, ".json")}`] = storeExport(name, storage, cwd);
  return made;
}

interface Exported {
  readonly info: { readonly id: string };
  readonly messages: readonly {
    readonly info: { readonly id: string };
    readonly parts: readonly { readonly id: string }[];
  }[];
}

/** An export as the files opencode kept before it had a database. */
function storeExport(name: string, storage: string, cwd: string): string {
  const text = readFileSync(join(SAMPLES, "opencode", name), "utf8").replaceAll(ORIGINAL, cwd);
  const { info, messages } = JSON.parse(text) as Exported;
  const write = (path: string, value: object): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  for (const message of messages) {
    write(join(storage, "message", info.id, `${message.info.id}.json`), message.info);
    for (const part of message.parts) write(join(storage, "part", message.info.id, `${part.id}.json`), part);
  }
  return write(join(storage, "session", "project", `${info.id}.json`), info);
}
