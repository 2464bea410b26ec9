import { describe, expect, test } from "vitest";
import { testHost } from "./host.test-support.js";
import type { Panel } from "./panel.js";

function panel(name: string, more: Partial<Panel> = {}): Panel {
  return { name, share: "fit", draw: () => ({ lines: [name] }), handleKey: () => true, ...more };
}

describe("panels", () => {
  test("are drawn over each other, and the one below is shown again", async () => {
    const host = testHost();
    let finish = (_value: number): void => {};
    const first = host.open<string>(() => panel("first"));
    const second = host.open<number>((done) => {
      finish = done;
      return panel("second");
    });
    const seen = [host.screen];
    finish(7);
    finish(8);
    seen.push(host.screen);
    host.closeAll();
    expect([seen, await second, await first, host.top]).toEqual([["second", "first"], 7, undefined, undefined]);
  });

  test("are notified once when they close, even if they were done before they were shown", async () => {
    const host = testHost();
    const left: string[] = [];
    const shown = host.open<void>(() => panel("shown", { dispose: () => left.push("shown") }));
    await host.open<void>((done) => {
      done();
      return panel("never", { dispose: () => left.push("never") });
    });
    host.closeAll();
    host.closeAll();
    await shown;
    expect(left).toEqual(["never", "shown"]);
  });

  test("one may open another while it is closed", async () => {
    const host = testHost();
    void host.open<void>((done) => {
      const handleKey = (): boolean => {
        done();
        void host.open(() => panel("answer"));
        return true;
      };
      return panel("question", { handleKey });
    });
    host.press("enter");
    expect(host.screen).toBe("answer");
  });
});

describe("work in slices", () => {
  test("continues until it is done, and handles a key in between", () => {
    const host = testHost({ slices: "manual" });
    let steps = 0;
    host.inSlices((deadline) => {
      do {
        steps += 1;
        host.advance(3);
      } while (steps < 7 && !deadline());
      return steps < 7 ? "more" : "done";
    }, new AbortController().signal);
    const seen: number[] = [];
    while (host.runSlice()) seen.push(steps);
    expect(seen).toEqual([2, 4, 6, 7]);
  });

  test("ends with its signal", () => {
    const host = testHost({ slices: "manual" });
    const stopping = new AbortController();
    let calls = 0;
    host.inSlices(() => {
      calls += 1;
      return "more";
    }, stopping.signal);
    host.runSlice();
    stopping.abort();
    host.runSlice();
    expect([calls, host.runSlice()]).toEqual([1, false]);
  });
});

test("the test host refuses frames that break a panel's promises", () => {
  const frames = [["x".repeat(81)], Array.from({ length: 25 }, () => ""), ["\x1b[31m"]];
  for (const lines of frames) {
    const host = testHost();
    void host.open(() => panel("bad", { draw: () => ({ lines }) }));
    expect(() => host.screen).toThrow();
  }
});
