import { sessionStats } from "@bough/agent/agent/internal.js";
import { answer, drawSession, NO_USAGE, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { describe, expect, it } from "vitest";
import { listApp } from "../list/screen-app.test-support.js";
import { openSession } from "./open-session.js";
import { StatsCounter } from "./stats-counter.js";

const cost = { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 };

function drawn() {
  const session = drawSession("A-b-C-d*; b-E-f", {
    b: says(answer("look", { usage: { ...NO_USAGE, input: 1200, output: 40, cost } })),
    d: says(answer("done", { stopReason: "error", usage: { ...NO_USAGE, input: 10 } })),
    f: says(answer("", { calls: [{ id: "c", name: "read" }] })),
    E: says(user("another way")),
  });
  session.appendSessionInfo("Lexer work");
  return session;
}

describe("the numbers of a session", () => {
  it("are shown for this path and for everything", async () => {
    const { app, host } = listApp({ height: 22, agent: { session: drawn() } });
    const closed = openSession(app, { screen: "session" });
    const at = (width: number): string => {
      host.resize({ width, height: 22 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Session · Lexer work
       ───────────────────────────────────────
       id        session-1-of-15
       file      none (in memory only)
       branches  2
       model     scripted/script
       context   ≈1.3k of 100k tokens (1%),
                 1.2k reported by the provider

                        this path         all
       entries                  5           8
       prompts                  2           3
       answers                  2           3
       tool calls               0           1
       errors                   1           1
       compactions              0           0
       tokens in             1.2k        1.2k
       tokens out              40          40
       cache read               0           0
       cache written            0           0
       cost                $0.30+      $0.30+
       Esc close  y copy  ? keys      19 of 20
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Session · Lexer work
       ───────────────────────────────────────────────────────────────────────────────
       id        session-1-of-15
       file      none (in memory only)
       branches  2
       model     scripted/script
       context   ≈1.3k of 100k tokens (1%), 1.2k reported by the provider

                            this path    all branches
       entries                      5               8
       prompts                      2               3
       answers                      2               3
       tool calls                   0               1
       errors                       1               1
       compactions                  0               0
       tokens in                 1.2k            1.2k
       tokens out                  40              40
       cache read                   0               0
       cache written                0               0
       cost                    $0.30+          $0.30+
       1 call without a known price
       Esc close   y copy   ? keys
      "
    `);
    host.press("y");
    expect(host.copied[0]).toContain("this path");
    host.press("q");
    await closed;
    expect(host.top).toBeUndefined();
  });

  it("scroll where the window is small", () => {
    const { app, host } = listApp({ height: 8, agent: { session: drawn() } });
    void openSession(app, { screen: "session" });
    expect(host.lines).toHaveLength(8);
    const first = host.lines[2];
    host.press("end");
    expect(host.lines[2]).not.toBe(first);
    expect(host.screen).toContain("without a known price");
  });

  it.each([
    ["with a provider's count", drawn],
    ["without one", () => drawSession("A-b-C-k-d*; b-E", { k: (on) => void on.appendCompaction("sum", "C", 9) })],
  ])("are the same as when they are counted at once, %s", (_what, draw) => {
    const session = draw();
    const counter = new StatsCounter(session);
    expect(counter.progress).toBe(0);
    while (counter.advance(() => true) === "more");
    expect(counter.stats).toEqual(sessionStats(session));
  });
});
