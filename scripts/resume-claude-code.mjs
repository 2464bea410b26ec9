// node scripts/resume-claude-code.mjs [--program <path>] [--package <name@version>] [<transcript>...]: lets the real
// Claude Code resume what Bough writes for it, against a model on loopback, in an empty home. Needs a build. Without a
// program it installs the newest from the package registry into a scratch folder; without transcripts it uses all
// samples. Exits with 1 if any part of a history was missing, out of order or unpaired.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryResume } from "./resume/try-resume.mjs";

await tryResume({
  agent: "claude-code",
  // The program is a binary, so the version of Node does not matter; npm does not check it for a tag.
  packages: ["@anthropic-ai/claude-code@latest"],
  command: "claude",
  prepare: () => {},
  screen: {
    // The answers to the questions of a first start.
    prepare: (home, _address, cwd) => {
      const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
      const approved = { customApiKeyResponses: { approved: ["not-a-key"], rejected: [] } };
      const settings = { hasCompletedOnboarding: true, theme: "dark", ...approved, projects: { [cwd]: project } };
      writeFileSync(join(home, ".claude.json"), JSON.stringify(settings));
    },
    args: (plan) => ["--resume", plan.sessionId],
    footer: /\? for shortcuts/,
  },
  run: (plan, prompt) => ["-p", "--resume", plan.sessionId, "--", prompt],
  environment: (_home, address) => ({
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  }),
  // What the user was told about a failed request is the program's own message, which is never sent.
  isLeftOut: ({ stopReason, errorMessage, content }) =>
    stopReason === "error" && content.every(({ text }) => text === errorMessage),
  // The program decides which reasoning it sends back.
  isLeftOutBlock: ({ type }) => type === "thinking",
  // An older name of the same tool.
  toolName: (name) => (name === "Task" ? "Agent" : name),
});
