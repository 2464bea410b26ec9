/** Texts that wait for the agent, above the editor. */
import type { QueuedTexts } from "../../agent/index.js";
import { firstWords } from "../../text/index.js";
import { cutToWidth } from "../../view/internal.js";
import type { Desk } from "../desk/desk.js";

interface QueuedLinesOptions {
  readonly width: number;
  readonly desk: Pick<Desk, "theme" | "glyphs" | "keys">;
  /** The agent was told to stop: what waits is sent when it has. */
  readonly isStopping: boolean;
}

const MOST = 4;

export function queuedLines(queue: QueuedTexts, { width, desk, isStopping }: QueuedLinesOptions): string[] {
  const { theme, glyphs, keys } = desk;
  const waiting = [
    ...queue.steering.map((text) => `next ${glyphs.arrow} ${firstWords(text)}`),
    ...queue.followUp.map((text) => `then ${glyphs.arrow} ${firstWords(text)}`),
  ];
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, MOST);
  if (waiting.length > MOST) shown.push(`+ ${waiting.length - MOST} more`);
  const stop = keys.hint("chat.stop");
  if (isStopping) shown.push(`stopping; sent next${stop === "" ? "" : `, ${stop} takes it back`}`);
  else if (stop !== "") shown.push(`${stop} stops the agent and takes them back`);
  return shown.map((line) => theme.paint("muted", cutToWidth(` ${line}`, width, glyphs.ellipsis)));
}
