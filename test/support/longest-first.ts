import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take many seconds on an idle machine, longest first. They start before all others of their project, so that
 * no worker is left with a long file when the rest is done. vitest knows how long a file took, but not in a new checkout.
 */
const LONG = [
  "test/scenario/sub-matrix.test.ts",
  "test/scenario/terminal-files.test.ts",
  "test/scenario/terminal-import.test.ts",
  "test/browser/looks.test.ts",
  "test/browser/walk.test.ts",
  "test/large-verify.test.ts",
  "test/scenario/foreign-looking.test.ts",
  "test/browser/hostile.test.ts",
  "test/scenario/terminal-screens.test.ts",
  "test/scenario/terminal-sessions.test.ts",
  "test/scenario/cli-flags.test.ts",
  "test/scenario/sub-agents.test.ts",
  "test/file-matrix.test.ts",
  "test/scenario/cli-print.test.ts",
  "test/engine/large.test.ts",
  "test/restore-kills.test.ts",
  "test/compilers.test.ts",
  "test/package.test.ts",
  "src/checkpoint/scan/scanner.test.ts",
  "src/tool/grep-tool.test.ts",
  "src/agent/files/agent-files.test.ts",
  "src/extension/install/install-extension.test.ts",
  "bench/bench.test.ts",
  "src/cli/subcommand/import/damaged.test.ts",
  "src/checkpoint/diff-files.test.ts",
  "src/command/files/move-files.test.ts",
];

/** Project by project, because a worker that changes the project starts over; in the large one, long files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification): number => {
      const found = LONG.indexOf(relative(this.ctx.config.root, file.moduleId));
      return found === -1 ? LONG.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) =>
      a.project.name === b.project.name ? place(a) - place(b) : a.project.name < b.project.name ? -1 : 1,
    );
  }
}
