import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { fastFolder } from "../../../test/support/temp-folder.js";
import { user } from "../../../test/support/messages.js";
import { SessionManager } from "../../session/index.js";
import { openScreen } from "../app/screens.js";
import { listApp } from "./screen-app.test-support.js";

it("measure", async () => {
  const home = fastFolder();
  process.env.BOUGH_HOME = home;
  const dir = join(home, "sessions", "--p--");
  mkdirSync(dir, { recursive: true });
  const one = SessionManager.create("/p", dir);
  for (let i = 0; i < 150; i++) one.appendMessage(user(`prompt ${i} ${"words ".repeat(60)}`));
  one.close();
  const text = readFileSync(one.getSessionFile() as string, "utf8");
  for (let i = 0; i < 5000; i++) writeFileSync(join(dir, `2025_${i}.jsonl`), text.replace("prompt 0", `prompt ${i}`));
  const made = listApp({ home, sessionDir: dir });
  let t = performance.now();
  void openScreen(made.app, { screen: "resume" });
  made.desk.screen;
  console.log("open+first frame", (performance.now() - t).toFixed(1));
  t = performance.now();
  let worst = 0, turns = 0, worstTurn = 0, last = performance.now();
  for (;;) {
    await made.desk.settle();
    worstTurn = Math.max(worstTurn, performance.now() - last);
    const a = performance.now();
    made.desk.press("down");
    const s = made.desk.screen;
    worst = Math.max(worst, performance.now() - a);
    turns++;
    last = performance.now();
    if (!/eading/.test(s)) break;
  }
  console.log("read all", (performance.now() - t).toFixed(0), "turns", turns, "worst key+frame incl. counting", worst.toFixed(1), "worst turn", worstTurn.toFixed(1));
  worst = 0;
  for (let i = 0; i < 200; i++) { const a = performance.now(); made.desk.press("pagedown"); made.desk.screen; worst = Math.max(worst, performance.now() - a); }
  console.log("page+frame+counting worst", worst.toFixed(1));
  made.desk.press("/");
  worst = 0;
  for (const c of "prompt 4999") { const a = performance.now(); made.desk.type(c); made.desk.screen; worst = Math.max(worst, performance.now() - a); }
  console.log("type+frame worst", worst.toFixed(1));

  const deep = SessionManager.inMemory("/p");
  for (let i = 0; i < 200_000; i++) deep.appendMessage(user(`prompt ${i}`));
  for (const screen of ["fork", "context", "session"] as const) {
    const app = listApp({ agent: { session: deep }, slices: "manual" });
    t = performance.now();
    void openScreen(app.app, { screen });
    app.desk.screen;
    console.log(screen, "open+frame", (performance.now() - t).toFixed(1));
    worst = 0;
    const begun = performance.now();
    let slices = 0;
    while (performance.now() - begun < 20_000) { const a = performance.now(); const more = app.desk.runSlice(); const b = performance.now() - a; worst = Math.max(worst, b); if (!more) break; slices++; app.desk.screen; }
    console.log(screen, "slices", slices, "total", (performance.now() - begun).toFixed(0), "worst slice", worst.toFixed(1));
    worst = 0;
    for (let i = 0; i < 50; i++) { const a = performance.now(); app.desk.press("down"); app.desk.screen; worst = Math.max(worst, performance.now() - a); }
    console.log(screen, "key+frame worst", worst.toFixed(1));
  }
}, 300_000);
