/** `bough doctor`: what is in order around the program, and what is not. */
import { counted } from "../../../text/index.js";
import { type Line, span, type Tone } from "../../../view/index.js";
import { checkAgents } from "../doctor/check-agents.js";
import { type Check, checkEnvironment } from "../doctor/check-environment.js";
import { checkModels } from "../doctor/check-models.js";
import { checkSessions } from "../doctor/check-sessions.js";
import { DAMAGED, type SubcommandCall } from "../subcommand.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { out } = call;
  const sessions = await checkSessions(call);
  const checks = [...checkEnvironment(call), ...checkModels(call), ...sessions.checks, ...(await checkAgents(call))];
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
