// node scripts/resume-pi.mjs [--program <path>] [--package <name@version>]... [<transcript>...]: lets the real pi
// resume what Bough writes for it, against a model on loopback, in an empty home. Needs a build. Without a program it
// installs one from the package registry into a scratch folder; without transcripts it uses all samples. pi has since
// moved to another package, which needs a newer Node; that comes as a package too:
//   node scripts/resume-pi.mjs --package @earendil-works/pi-coding-agent@0.87.1 --package node@22
// Exits with 1 if any part of a history was missing, out of order or unpaired.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryResume } from "./resume/try-resume.mjs";

const MODEL = {
  id: "loopback-model",
  reasoning: true,
  input: ["text", "image"],
  contextWindow: 1_000_000,
  maxTokens: 1000,
};

await tryResume({
  agent: "pi",
  packages: ["@mariozechner/pi-coding-agent"],
  command: "pi",
  prepare: (home, address) => {
    const folder = join(home, ".pi", "agent");
    const loopback = { baseUrl: address, api: "anthropic-messages", apiKey: "not-a-key", models: [MODEL] };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { loopback } }));
  },
  screen: {
    args: (plan) => ["--session", plan.path, "--model", `loopback/${MODEL.id}`],
    // The session's token totals, and the model.
    footer: /↑\d+[\s\S]*loopback-model/,
  },
  run: (plan, prompt) => ["-p", "--session", plan.path, "--model", `loopback/${MODEL.id}`, "--no-tools", prompt],
  environment: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" }),
  // A failed or stopped answer is requested again and never sent.
  isLeftOut: ({ stopReason, content }, isAnswered) =>
    (stopReason === "error" || stopReason === "aborted") &&
    !content.some(({ id }) => id !== undefined && isAnswered(id)),
  // Only the model that produced redacted reasoning can read it.
  isLeftOutBlock: ({ type, redacted }) => redacted === true || type === "redactedThinking",
});
