import { describe, expect, test } from "vitest";
import { testDesk } from "./desk.test-support.js";
import type { Panel } from "./panel.js";

function panel(name: string, more: Partial<Panel> = {}): Panel {
  return { name, share: "fit", draw: () => ({ lines: [name] }), handleKey: () => true, ...more };
}

describe("panels", () => {
  test("lie over each other, and the one below comes back", async () => {
    const desk = testDesk();
    let finish = (_value: number): void => {};
    const first = desk.open<string>(() => panel("first"));
    const second = desk.open<number>((done) => {
      finish = done;
      return panel("second");
    });
    const seen = [desk.screen];
    finish(7);
    finish(8);
    seen.push(desk.screen);
    desk.closeAll();
    expect([seen, await second, await first, desk.top]).toEqual([["second", "first"], 7, undefined, undefined]);
  });

  test("are told when they leave, once, also where they were done before they were seen", async () => {
    const desk = testDesk();
    const left: string[] = [];
    const shown = desk.open<void>(() => panel("shown", { dispose: () => left.push("shown") }));
    await desk.open<void>((done) => {
      done();
      return panel("never", { dispose: () => left.push("never") });
    });
    desk.closeAll();
    desk.closeAll();
    await shown;
    expect(left).toEqual(["never", "shown"]);
  });

  test("one may open another while it is closed", async () => {
    const desk = testDesk();
    void desk.open<void>((done) => {
      const handleKey = (): boolean => {
        done();
        void desk.open(() => panel("answer"));
        return true;
      };
      return panel("question", { handleKey });
    });
    desk.press("enter");
    expect(desk.screen).toBe("answer");
  });
});

describe("work in slices", () => {
  test("goes on until it is done, and a key comes in between", () => {
    const desk = testDesk({ slices: "manual" });
    let steps = 0;
    desk.inSlices((deadline) => {
      do {
        steps += 1;
        desk.advance(3);
      } while (steps < 7 && !deadline());
      return steps < 7 ? "more" : "done";
    }, new AbortController().signal);
    const seen: number[] = [];
    while (desk.runSlice()) seen.push(steps);
    expect(seen).toEqual([2, 4, 6, 7]);
  });

  test("ends with its signal", () => {
    const desk = testDesk({ slices: "manual" });
    const stopping = new AbortController();
    let calls = 0;
    desk.inSlices(() => {
      calls += 1;
      return "more";
    }, stopping.signal);
    desk.runSlice();
    stopping.abort();
    desk.runSlice();
    expect([calls, desk.runSlice()]).toEqual([1, false]);
  });
});

test("the test desk refuses frames that break a panel's promises", () => {
  const frames = [["x".repeat(81)], Array.from({ length: 25 }, () => ""), ["\x1b[31m"]];
  for (const lines of frames) {
    const desk = testDesk();
    void desk.open(() => panel("bad", { draw: () => ({ lines }) }));
    expect(() => desk.screen).toThrow();
  }
});
