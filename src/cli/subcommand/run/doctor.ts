/** `bough doctor`: what is in order around the program, and what is not. */
import { AGENT_TITLES } from "../../../entry/index.js";
import type { AgentName } from "../../../interop/index.js";
import { createModelRegistry } from "../../../model/index.js";
import { readSettings } from "../../../project/index.js";
import { boughHome } from "../../../session/index.js";
import { counted } from "../../../text/index.js";
import { createTrust } from "../../../tool/index.js";
import { type Line, span, type Tone } from "../../../view/index.js";
import { type Check, checkEnvironment } from "../doctor/check-environment.js";
import { checkSandbox } from "../doctor/check-sandbox.js";
import { checkSessions } from "../doctor/check-sessions.js";
import { DAMAGED, type SubcommandCall } from "../subcommand.js";

/** What other agents kept on this machine: how many sessions of each, and if no one may look. */
const area = "Other agents";
const SHOWN = 20;

async function checkAgents({ signal }: Pick<SubcommandCall, "signal">): Promise<readonly Check[]> {
  const { closedPlaces, findSessions } = await import("../../../interop/index.js");
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
    ...checkModels(call),
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

/** Settings, keys and models. Whether a key is there is reported, never the key; no network is used. */
function checkModels({ places: { cwd } }: Pick<SubcommandCall, "places">): Check[] {
  const home = boughHome();
  const trust = createTrust(home);
  const projectTrusted = trust.isTrusted(cwd);
  const { settings, problems } = readSettings({ cwd, home, projectTrusted });
  const checks: Check[] = problems.map(({ file, field, message, level }) => ({
    area: "Settings",
    level,
    message: `${file}${field === undefined ? "" : ` (${field})`}: ${message}`,
  }));
  if (checks.length === 0) checks.push({ area: "Settings", level: "ok", message: "Settings are valid" });
  const trustProblem = trust.problem();
  if (trustProblem !== undefined) checks.push({ area: "Settings", level: "warning", message: trustProblem });
  const registry = createModelRegistry({
    home,
    env: process.env,
    ...(settings.models === undefined ? {} : { overrides: settings.models }),
  });
  for (const message of registry.problems()) checks.push({ area: "Models", level: "error", message });
  for (const message of registry.warnings()) checks.push({ area: "Models", level: "warning", message });
  const providers = [...new Set(registry.all().map(({ provider }) => provider))].sort();
  const withKey = providers.filter((provider) => registry.apiKey(provider) !== undefined);
  const without = providers.filter((provider) => !withKey.includes(provider) && provider !== "offline");
  checks.push(
    withKey.length === 0
      ? {
          area: "Models",
          level: "note",
          message: "No API key is set; the offline model and local servers need none",
          hint: "Set one with /model, or in the environment.",
        }
      : { area: "Models", level: "ok", message: `Keys set for ${withKey.join(", ")}` },
  );
  if (without.length > 0) checks.push({ area: "Models", level: "note", message: `No key for ${without.join(", ")}` });
  checks.push({ area: "Models", level: "ok", message: `${counted(registry.available().length, "model")} can be used` });
  return [...checks, preferredCheck(settings.model, registry)];
}

function preferredCheck(wanted: string | undefined, registry: ReturnType<typeof createModelRegistry>): Check {
  if (wanted === undefined) {
    const { provider, id } = registry.preferred();
    return { area: "Models", level: "ok", message: `Sessions start with ${provider}/${id}` };
  }
  try {
    const { provider, id } = registry.resolve(wanted);
    return { area: "Models", level: "ok", message: `Sessions start with ${provider}/${id}, from settings` };
  } catch (error) {
    return { area: "Models", level: "error", message: (error as Error).message, hint: "Change the model setting." };
  }
}
