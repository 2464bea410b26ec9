import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOnPath } from "../support/missing-tools.js";
import { AcpClient } from "./acp-client.js";
import { RpcClient } from "./cli-rpc-client.js";
import { bough } from "./cli-support.js";
import { noSandbox, type SandboxPlace, sandboxPlace } from "./sandbox-place.js";
import { sitDown } from "./terminal-support.js";

const why = await noSandbox();
const AUTO = ["--sandbox", "auto", "--permission", "auto"];
const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
const onOneLine = (text: string): string => text.replace(/\s+/g, " ");
const ownRules = ({ home }: SandboxPlace): unknown =>
  JSON.parse(textIn(join(home, "settings.json"))).permissions?.allow ?? [];

describe.skipIf(why !== undefined)(
  `leaving the sandbox${why === undefined ? "" : ` (cannot run here: ${why})`}`,
  () => {
    test.each([
      [120, 36],
      [80, 24],
    ])(
      "in a terminal of %i by %i: names what was blocked, runs outside, and always starts there from then on",
      async (columns, rows) => {
        const place = sandboxPlace();
        const { terminal } = sitDown({ place, args: AUTO, columns, rows });
        await terminal.shows("New session");
        await terminal.shows(/auto.* sandboxed/);
        terminal.type("run node leave.js").press("enter");
        await terminal.shows("Run it again outside the sandbox?");
        const blocked = `writing ${place.out} (as printed by the command)`;
        await terminal.shows((text) => text.replace(/\s+/g, "").includes(blocked.replace(/\s+/g, "")));
        await terminal.shows(/Ctrl\+G +yes, always in every project: the command "node/);
        expect(existsSync(place.out)).toBe(false);
        (await terminal.yieldNow()).press("ctrl+g");
        await terminal.shows("Always allowed in every project");
        await terminal.shows("left the folder");
        expect([textIn(place.out), ownRules(place)]).toEqual(["x", ["unsandboxed(node leave.js)"]]);
        terminal.type("run node leave.js").press("enter");
        await terminal.shows((text) => text.split("node leave.js").length > 3 && textIn(place.out) === "xx");
        expect(terminal.text).not.toContain("Run it again outside the sandbox?");
      },
    );

    test("in a terminal: a file that decides what runs later stays away unless it is asked back", async () => {
      const place = sandboxPlace();
      const { terminal } = sitDown({ place, args: AUTO });
      const file = join(place.cwd, ".envrc");
      await terminal.shows("New session");
      terminal.type("run node make.js").press("enter");
      await terminal.shows("Put this back, where the command created it?");
      await terminal.shows("+ export MADE=1");
      expect(existsSync(file)).toBe(false);
      (await terminal.yieldNow()).press("enter");
      await terminal.shows((text) =>
        onOneLine(text).includes("which can decide what runs later, so the sandbox moved it"),
      );
      expect(existsSync(file)).toBe(false);
      terminal.type("run node make.js").press("enter");
      await terminal.shows("Put this back, where the command created it?");
      (await terminal.yieldNow()).press("y");
      await terminal.shows((text) => onOneLine(text).includes("and the user allowed it"));
      expect(textIn(file)).toBe("export MADE=1\n");
    });

    test("in plain mode", async () => {
      const place = sandboxPlace();
      const { terminal } = sitDown({ place, args: ["--plain", ...AUTO], columns: 200, rows: 60 });
      await terminal.shows("/quit quits.");
      terminal.type("run node leave.js").press("enter");
      await terminal.shows(/Run it again outside the sandbox\? \(bash\)\s+node leave\.js\s+The sandbox blocked:/);
      await terminal.shows(
        '"everywhere" always allows in every project: the command "node leave.js", outside the sandbox',
      );
      terminal.type("y").press("enter");
      await terminal.shows("left the folder");
      expect([textIn(place.out), ownRules(place)]).toEqual(["x", []]);
    });

    test("over RPC: the question carries what was blocked, and after a no the model is told in one sentence", async () => {
      const place = sandboxPlace();
      const client = new RpcClient(place, AUTO);
      const asked: unknown[] = [];
      client.onQuestion = (method, params) => {
        asked.push([method, params.blocked, params.shownBlocked, params.everywhere]);
        return "no";
      };
      await client.request("prompt", { text: "run node leave.js" });
      const end = client.events.find(({ type }) => type === "tool_end");
      await client.close();
      const words = `writing ${place.out} (as printed by the command)`;
      expect(asked).toEqual([
        [
          "ui.permission",
          [{ kind: "write", what: place.out, certain: false }],
          [words],
          'the command "node leave.js", outside the sandbox',
        ],
      ]);
      expect(JSON.stringify(end)).toContain(
        `[The sandbox blocked ${words}]\\n[The user did not allow running it again outside the sandbox]\\n[Exit code 1]`,
      );
      expect(existsSync(place.out)).toBe(false);
    });

    test("in an editor: both sessions of the process are sandboxed, and each asks", async () => {
      const place = sandboxPlace();
      const acp = new AcpClient(place, { args: AUTO });
      const { sessionId: one } = await acp.begin();
      await acp.say(one, "hello");
      const { sessionId: two } = await acp.fork(one);
      acp.onPermission = ({ sessionId }) => (sessionId === two ? "everywhere" : "no");
      await acp.say(one, "$ node leave.js");
      expect([acp.questions.length, existsSync(place.out)]).toEqual([1, false]);
      await acp.say(two, "$ node leave.js");
      const [first, second] = acp.questions;
      expect(first?.toolCall.title).toBe("Run it again outside the sandbox? node leave.js");
      expect(JSON.stringify(first?.toolCall.content)).toContain(`The sandbox blocked writing ${place.out}`);
      expect(second?.options.map(({ optionId }) => optionId)).toEqual(["once", "everywhere", "no"]);
      expect([acp.questions.length, textIn(place.out), ownRules(place)]).toEqual([
        2,
        "x",
        ["unsandboxed(node leave.js)"],
      ]);
      await acp.end();
    });

    test("with -p: it is not run again, and the model and the caller are told; a rule lets it start outside", async () => {
      const place = sandboxPlace();
      const { stdout, stderr } = await bough(place, [...AUTO, "-p", "run node leave.js"]);
      expect(stdout).toContain(
        "[It was not run again outside the sandbox, because that needs confirmation, which is not possible here]",
      );
      expect([stderr, existsSync(place.out)]).toEqual([
        expect.stringContaining("1 tool call was refused (bash)"),
        false,
      ]);
      await bough(place, [...AUTO, "--allow", "unsandboxed(node leave.js)", "-p", "run node leave.js"]);
      expect(textIn(place.out)).toBe("x");
      const deny = ["--deny", "unsandboxed(node:*)"];
      const kept = await bough(place, [...AUTO, ...deny, "--allow", "unsandboxed", "-p", "run node leave.js"]);
      expect([kept.stdout, textIn(place.out)]).toEqual([
        expect.stringContaining(
          "[Refused by rule deny unsandboxed(node:*): running outside the sandbox: node leave.js]",
        ),
        "x",
      ]);
    });

    test.runIf(isOnPath("curl"))(
      "an answer about a host that comes after the command has ended keeps the rule and does nothing else",
      async () => {
        const place = sandboxPlace();
        const client = new RpcClient(place, AUTO);
        const asked: unknown[] = [];
        client.onQuestion = (_, params) => {
          asked.push([params.target, params.warnings, params.everywhere]);
          return undefined;
        };
        const command = "curl -sS -m 2 http://registry.npmjs.org/";
        await client.request("prompt", { text: `run ${command}` });
        const before = client.events.filter(({ type }) => type === "tool_end").length;
        const offer = "reach package registries: npm, PyPI, crates.io and others";
        expect([before, asked]).toEqual([
          1,
          [["http://registry.npmjs.org/", [`Wanted by this command: ${command}`], offer]],
        ]);
        client.write(JSON.stringify({ id: "ui-1", result: "everywhere" }));
        await client.line(({ event }) => JSON.stringify(event ?? "").includes("Always allowed in every project"));
        expect(ownRules(place)).toContain("web_fetch(pypi.org)");
        expect(client.events.filter(({ type }) => type === "tool_start")).toHaveLength(before);
        await client.close();
      },
    );

    test("without a flag or a setting, commands of mode auto are sandboxed, and --sandbox off runs them outside", async () => {
      const place = sandboxPlace();
      await bough(place, ["--permission", "auto", "-p", "run node leave.js"]);
      expect(existsSync(place.out)).toBe(false);
      await bough(place, ["--permission", "auto", "--sandbox", "off", "-p", "run node leave.js"]);
      expect(textIn(place.out)).toBe("x");
    });

    test("in other modes the default of mode auto leaves commands as they are, and a switch takes effect at once", async () => {
      const place = sandboxPlace();
      const client = new RpcClient(place, ["--sandbox", "auto"]);
      const titles: unknown[] = [];
      client.onQuestion = (_, { blocked }) => {
        titles.push(blocked === undefined ? "run" : "leave");
        return "once";
      };
      await client.request("prompt", { text: "run node leave.js" });
      expect([titles, textIn(place.out)]).toEqual([["run"], "x"]);
      await client.close();
    });
  },
);
