import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTrust } from "./trust.js";

function places() {
  const base = realpathSync(tempFolder());
  const project = join(base, "project");
  mkdirSync(join(project, "packages/one"), { recursive: true });
  return { home: join(base, "home"), base, project };
}

describe("trust in a project", () => {
  test("is not there until it was decided, and lasts", () => {
    const { home, project } = places();
    const trust = createTrust(home);
    const before = [trust.decisionFor(project), trust.isTrusted(project)];
    trust.setTrust(project, "yes");
    expect([before, trust.decisionFor(project), createTrust(home).isTrusted(project), trust.problem()]).toEqual([
      ["undecided", false],
      "yes",
      true,
      undefined,
    ]);
    expect(JSON.parse(readFileSync(trust.file, "utf8"))).toEqual({ version: 1, folders: { [project]: "yes" } });
  });

  test("a decision counts for what is below, and the nearest decision counts", () => {
    const { home, base, project } = places();
    const trust = createTrust(home);
    trust.setTrust(project, "yes");
    trust.setTrust(join(project, "packages"), "no");
    expect(
      [
        project,
        join(project, "other"),
        join(project, "packages"),
        join(project, "packages/one"),
        base,
        `${project}-2`,
      ].map((folder) => trust.decisionFor(folder)),
    ).toEqual(["yes", "yes", "no", "no", "undecided", "undecided"]);
  });

  test("a link to a folder is that folder, so it cannot borrow the trust of its location", () => {
    const { home, base, project } = places();
    mkdirSync(join(base, "elsewhere"));
    symlinkSync(join(base, "elsewhere"), join(project, "link"));
    const trust = createTrust(home);
    trust.setTrust(project, "yes");
    expect(trust.isTrusted(join(project, "link"))).toBe(false);
  });

  test("the file is private, also when it was not before", () => {
    const { home, project } = places();
    mkdirSync(home);
    writeFileSync(join(home, "trust.json"), '{"version":1,"folders":{}}', { mode: 0o644 });
    const trust = createTrust(home);
    trust.setTrust(project, "no");
    expect([statSync(trust.file).mode & 0o777, readdirSync(home)]).toEqual([0o600, ["trust.json"]]);
  });

  test("a name that every object has is not a decision", () => {
    const { home } = places();
    expect(createTrust(home).decisionFor("/constructor/__proto__")).toBe("undecided");
  });

  test.each(["", "{", '{"version":1}', '{"version":2,"folders":{}}', '{"version":1,"folders":{"/":true}}', "[]", "\0"])(
    "a damaged file (%j) trusts no one and is kept when the next decision is made",
    (damage) => {
      const { home, project } = places();
      mkdirSync(home);
      writeFileSync(join(home, "trust.json"), damage);
      const trust = createTrust(home);
      expect([trust.isTrusted(project), trust.problem()]).toEqual([
        false,
        `The trust file is damaged, so no project is trusted: ${trust.file}`,
      ]);
      trust.setTrust(project, "yes");
      expect([trust.isTrusted(project), trust.problem(), readFileSync(`${trust.file}.damaged`, "utf8")]).toEqual([
        true,
        undefined,
        damage,
      ]);
    },
  );
});
