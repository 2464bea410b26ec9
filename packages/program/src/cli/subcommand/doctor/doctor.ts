/** `bough doctor`: checks the environment, settings, models, servers and sessions. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { counted } from "@bough/session/text/index.js";
import { type Line, span, type Tone } from "@bough/session/view/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import { DAMAGED, type SubcommandCall, type SubcommandRow } from "../subcommand.js";
import { type Check, checkEnvironment } from "./check-environment.js";
import { checkModels } from "./check-models.js";
import { checkSandbox } from "./check-sandbox.js";
import { checkServers } from "./check-servers.js";
import { checkSessions } from "./check-sessions.js";

export const row: SubcommandRow = {
  name: "doctor",
  usage: "",
  summary: "Check your installation",
  details:
    "Checks the Node version, folders and their permissions, which keys are set (never their values), models, helpers like git and rg, settings, damaged or very large sessions, and terminal features. Changes nothing, and uses no network unless --online is given: then it asks each provider you have a key for, and the default model, whether they work, and explains failures.",
  flags: {
    deep: { help: "read every byte of every session" },
    online: { help: "ask providers whether keys and the model work" },
    model: { value: "provider/model", help: "with --online, check this model" },
  },
  examples: [
    ["doctor", "run all checks"],
    ["doctor --online", "also check keys and the model"],
    ["doctor --online --model ollama/qwen3:8b", "check another model"],
  ],
  json: '{ "checks": [{ area, level: "ok" | "note" | "warning" | "error", message, hint? }] }',
  args: { least: 0, most: 0 },
  completes: "none",
};

/** Other agents' sessions on this machine: how many of each, and which folders cannot be read. */
const area = "Other agents";
const SHOWN = 20;

async function checkAgents({ signal }: Pick<SubcommandCall, "signal">): Promise<readonly Check[]> {
  const { closedPlaces, findSessions } = await import("@bough/workbench/interop/index.js");
  const counts = new Map<AgentName, number>();
  const all = await findSessions({ signal });
  for (const { agent, problem } of all) if (problem === undefined) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const damaged = all.flatMap(({ agent, path, problem }) => (problem === undefined ? [] : [{ agent, path, problem }]));
  const found = [...counts].map(([agent, count]) => `${AGENT_TITLES[agent]} ${count}`).join(", ");
  const message = counts.size === 0 ? "No sessions from other agents found" : `Readable sessions: ${found}`;
  const closed = closedPlaces();
  const checks: Check[] = [{ area, level: "ok", message }];
  for (const { agent, path, problem } of damaged.slice(0, SHOWN)) {
    const what = problem.kind === "damaged" ? "damaged" : "too large to read";
    checks.push({
      area,
      level: "warning",
      message: `A session from ${AGENT_TITLES[agent]} is ${what}: ${path}`,
      hint: problem.reason,
    });
  }
  if (damaged.length > SHOWN) {
    checks.push({ area, level: "note", message: `and ${counted(damaged.length - SHOWN, "session")} more` });
  }
  for (const { agent, path } of closed.slice(0, SHOWN)) {
    const hint = `Check its owner: ls -ld ${path}`;
    checks.push({ area, level: "warning", message: `Cannot read ${AGENT_TITLES[agent]} files: ${path}`, hint });
  }
  if (closed.length > SHOWN) {
    checks.push({ area, level: "note", message: `and ${counted(closed.length - SHOWN, "place")} more` });
  }
  return checks;
}

export async function run(call: SubcommandCall): Promise<number> {
  const { out } = call;
  const sessions = await checkSessions(call);
  const checks = [
    ...checkEnvironment(call),
    ...(await checkSandbox(call)),
    ...(await checkModels(call)),
    ...(await checkServers(call)),
    ...sessions.checks,
    ...(await checkAgents(call)),
  ];
  if (out.json) await out.values({}, "checks", checks);
  else await out.lines(lines(checks));
  if (sessions.damaged > 0) return DAMAGED;
  return checks.some(({ level }) => level === "error") ? 1 : 0;
}

const TONES: Readonly<Record<Check["level"], Tone>> = { ok: "good", note: "muted", warning: "note", error: "bad" };

function* lines(checks: readonly Check[]): Generator<Line> {
  let area = "";
  for (const check of checks) {
    if (check.area !== area) yield [span(`${area === "" ? "" : "\n"}${check.area}`, "strong")];
    area = check.area;
    yield [span("  "), span(check.level.padEnd(7), TONES[check.level]), span(`  ${check.message}`)];
    if (check.hint !== undefined) yield [span(`           ${check.hint}`, "muted")];
  }
  const count = (level: Check["level"]) => checks.filter((check) => check.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  yield [];
  if (errors + warnings === 0) yield [span("No problems found.", "good")];
  else yield [span(`${counted(errors, "problem")}, ${counted(warnings, "warning")}`, errors > 0 ? "bad" : "note")];
}
