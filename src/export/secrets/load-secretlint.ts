/** secretlint, loaded when something is looked at for the first time, and without the diary it keeps. */
import type { SecretLintCoreConfig } from "@secretlint/types";

type Lint = (
  text: string,
) => Promise<readonly { readonly rule: string; readonly start: number; readonly end: number }[]>;

export async function loadSecretlint(): Promise<Lint> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It notes the times of every call, never forgets one, and searches all of them each time.
  secretLintProfiler.mark = () => {};
  const config: SecretLintCoreConfig = { rules: [{ id: "preset", rule: creator }] };
  return async (text) => {
    // A remark that turns secretlint off is someone's text here, and must not hide what follows.
    const content = text.replace(/secretlint-(?=disable|enable)/gi, "secretlint_");
    const source = { content, contentType: "text" as const, ext: ".txt", filePath: "session.txt" };
    const { messages } = await lintSource({ source, options: { config, maskSecrets: false, noPhysicFilePath: true } });
    return messages.map(({ ruleId, range: [start, end] }) => ({
      rule: ruleId.replace(/^@secretlint\/secretlint-rule-/, ""),
      start,
      end,
    }));
  };
}
