import { parseRule } from "@bough/agent/tool/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { changedRulesNotice, markRulesListed } from "./changed-rules.js";

const rules = ["bash(sort:*)", "bash(npm test:*)", "bash(deploy:*)", "bash(sort -o:**)", "edit(src/**)"].map((text) =>
  parseRule(text, { effect: "allow", source: { kind: "user" } }),
);

describe("rules that cover less than before", () => {
  it("are listed once", () => {
    const home = tempFolder();
    expect(changedRulesNotice(rules, home)?.message).toMatch(
      /^These rules cover less than in 0\.1\.0: bash\(sort:\*\), bash\(npm test:\*\)\. /,
    );
    expect(changedRulesNotice(rules, home)).toBeUndefined();
  });

  it("are not listed if there are none, or if they were kept by an answer", () => {
    const home = tempFolder();
    expect(changedRulesNotice(rules.slice(2), home)).toBeUndefined();
    markRulesListed(home);
    expect(changedRulesNotice(rules, home)).toBeUndefined();
  });
});
