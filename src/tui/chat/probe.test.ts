import { test } from "vitest";
import { SessionManager } from "../../session/index.js";
import { testChat } from "./chat-harness.test-support.js";
import { createTheme } from "../theme/create-theme.js";
const t = <T,>(n: string, f: () => T): T => { const s = performance.now(); const r = f(); console.log(n, (performance.now() - s).toFixed(2)); return r; };
test("probe", async () => {
  const session = SessionManager.inMemory("/p");
  for (let i = 0; i < 100_000; i++) { session.appendMessage({ role: "user", content: `prompt ${i}`, timestamp: 0 }); session.appendMessage({ role: "assistant", content: [{ type: "text", text: `answer **${i}**` }], api: "offline", provider: "p", model: "m", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, stopReason: "stop", timestamp: 0 }); }
  t("leaf", () => session.getSource().leaf); t("ctx", () => session.buildSessionContext()); const c = t("create", () => testChat({ harness: { session } })); t("chat", () => { const d = testChat({}); d.chat.dispose(); });
  Object.defineProperty(c.desk, "theme", { get: () => theme });
  const theme = createTheme({ name: "dark", colours: "all" });
  const draw = () => { c.chat.drawTranscript({ width: 100, height: 40 }); c.chat.editor.draw({ width: 100, height: 20 }); };
  t("first", draw); t("second", draw);
  for (let i = 0; i < 5; i++) t("type", () => { c.type("a"); draw(); });
  for (let i = 0; i < 3; i++) t("pageup", () => { c.press("pageup"); draw(); });
  t("top", () => { c.press("ctrl+home"); draw(); }); t("end", () => { c.press("ctrl+end"); draw(); });
  t("up history", () => { c.chat.clearText(); c.press("up"); draw(); });
  c.event({ type: "message_start", role: "assistant" });
  const piece = "Here is **bold** text with `code` and [link](http://a.b) and more words to fill the line.\n\n```ts\nconst a = 1; // comment\nexport function f(x: number): string { return `${x}`; }\n```\n\n- item one\n- item two\n\n";
  for (let i = 0; i < 400; i++) { c.event({ type: "message_update", part: "text", delta: piece + i }); if (i % 100 === 99) { t(`stream ${i}`, draw); c.event({ type: "message_update", part: "text", delta: "word " }); t(`stream+ ${i}`, draw); t(`again ${i}`, draw); } }
  c.chat.dispose();
}, 60000);
