/** A home folder in which five agents were used: the project's own samples, laid out as the programs do it. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExportedSession, storeAsFiles, storeInDatabase } from "./opencode-home.js";
import { storedZstd } from "./stored-zstd.js";

const SAMPLES = fileURLToPath(new URL("../fixtures/interop", import.meta.url));
/** The folder the transcripts were made in. */
export const SAMPLE_CWD = "/home/dev/project";

/** Ids of the sessions, as their programs gave them. */
export const AGENT_IDS = {
  claude: "bdeed71e-df0a-497d-9afc-2cd57bdd9943",
  claudeSubagent: "700a8432-0d71-4294-bebc-a5f440a156b4",
  codex: "01a1de66-2f95-7361-a035-2c1db9b1d6c0",
  codexCompressed: "01a1de66-2aa1-7951-8173-23e1e8982c2c",
  gemini: "894c528a-8847-451a-9289-1e5d6d92b3a4",
  geminiCompression: "63d00b33-016a-4d6f-82c5-dc17e8ad22f5",
  opencode: "ses_e2193c7edffehRwYnlS0oYv7uT",
  opencodeCompaction: "ses_e21920d10ffebUOrxaAZpxZ9YJ",
  opencodeSubagent: "ses_e2190c774ffeH931sbfUhGeYwD",
  pi: "01a1de67-c7a2-761b-bcfe-77d8dcc9de95",
} as const;

/** Where each of the nine sessions is. */
export interface AgentsHome {
  /** Two branches: `Double it.` and `Triple it instead.` */
  readonly claude: string;
  /** Has a sub-agent with a file of its own. */
  readonly claudeSubagent: string;
  readonly codex: string;
  readonly gemini: string;
  /** Was compressed twice. */
  readonly geminiCompression: string;
  /** Three branches. */
  readonly pi: string;
  /** A database with all three of opencode's, or the session's file in `storage/`. */
  readonly opencode: string;
  readonly opencodeCompaction: string;
  /** Has a sub-agent, which is a session of its own there. */
  readonly opencodeSubagent: string;
}

export interface AgentsHomeOptions {
  readonly home: string;
  /** Becomes the folder the agents worked in. */
  readonly cwd?: string;
  /** `both`: the database has taken over what was in files, except for the session with the sub-agent. */
  readonly opencode?: "files" | "database" | "both";
}

/** Files are as old as their names say, and each is a minute newer than the one before it. */
const FIRST_MS = Date.UTC(2026, 10, 15, 9);

export function layOutAgents({ home, cwd = SAMPLE_CWD, opencode = "files" }: AgentsHomeOptions): AgentsHome {
  let time = FIRST_MS;
  const place = (sample: string, ...to: readonly string[]): string => {
    const target = join(home, ...to);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, sampleText(sample, cwd));
    time += 60_000;
    utimesSync(target, time / 1000, time / 1000);
    return target;
  };
  const projects = [".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-")] as const;
  const { claude, claudeSubagent, codex, pi } = AGENT_IDS;
  for (const name of readdirSync(join(SAMPLES, "claude-code/subagent", claudeSubagent, "subagents"))) {
    const inside = [claudeSubagent, "subagents", name];
    place(join("claude-code/subagent", ...inside), ...projects, ...inside);
  }
  const rollout = `rollout-2026-11-15T08-50-01-${codex}.jsonl`;
  const chats = [".gemini", "tmp", basename(cwd), "chats"] as const;
  const [chat, compressed] = ["session-2026-11-15T08-50-894c528a.jsonl", "session-2026-11-15T09-05-63d00b33.jsonl"];
  const piFolder = `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`;
  const placed = {
    claude: place("claude-code/rewind.jsonl", ...projects, `${claude}.jsonl`),
    claudeSubagent: place(`claude-code/subagent/${claudeSubagent}.jsonl`, ...projects, `${claudeSubagent}.jsonl`),
    codex: place(`codex/${rollout}`, ...CODEX_DAY, rollout),
    gemini: place(`gemini/${chat}`, ...chats, chat),
    geminiCompression: place(`gemini/${compressed}`, ...chats, compressed),
    pi: place("pi/branches.jsonl", ".pi", "agent", "sessions", piFolder, `2026-11-15T08-51-45-698Z_${pi}.jsonl`),
  };
  writeFileSync(join(home, ...chats, "..", ".project_root"), cwd);
  return { ...placed, ...layOutOpencode(home, cwd, opencode) };
}

const CODEX_DAY = [".codex", "sessions", "2026", "11", "15"] as const;

/** A tenth session: an older rollout, as Codex keeps those it has compressed. */
export function layOutCompressedRollout({ home, cwd = SAMPLE_CWD }: Omit<AgentsHomeOptions, "opencode">): string {
  const name = `rollout-2026-11-15T08-49-59-${AGENT_IDS.codexCompressed}.jsonl`;
  const target = join(home, ...CODEX_DAY, `${name}.zst`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, storedZstd(Buffer.from(sampleText(`codex/${name}`, cwd))));
  utimesSync(target, FIRST_MS / 1000, FIRST_MS / 1000);
  return target;
}

function sampleText(sample: string, cwd: string): string {
  return readFileSync(join(SAMPLES, sample), "utf8").replaceAll(SAMPLE_CWD, cwd);
}

type OpencodePaths = Pick<AgentsHome, "opencode" | "opencodeCompaction" | "opencodeSubagent">;

/** Of the sub-agent of `opencodeSubagent`. */
const CHILD_ID = "ses_e2190c1f1ffel5h5wfvV54SYGf";

function layOutOpencode(home: string, cwd: string, how: "files" | "database" | "both"): OpencodePaths {
  const data = join(home, ".local", "share", "opencode");
  const database = join(data, "opencode.db");
  const exported = (id: string) => JSON.parse(sampleText(`opencode/${id}.json`, cwd)) as ExportedSession;
  const { opencode, opencodeCompaction, opencodeSubagent } = AGENT_IDS;
  const stay = [opencodeSubagent, CHILD_ID].map(exported);
  const move = [opencode, opencodeCompaction].map(exported);
  if (how !== "files") storeInDatabase(how === "both" ? move : [...move, ...stay], database);
  const files = how === "database" ? [] : [...move, ...stay].map((each) => storeAsFiles(each, join(data, "storage")));
  const [first = database, second = database, third = database] = files;
  return {
    opencode: how === "both" ? database : first,
    opencodeCompaction: how === "both" ? database : second,
    opencodeSubagent: third,
  };
}
