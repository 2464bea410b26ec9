/**
 * What extensions find under `@earendil-works/pi-tui`: the library of Bough's terminal, plus additions of newer
 * versions.
 */

import { overlaid } from "@bough/agent/terminal/index.js";
import * as library from "@earendil-works/pi-tui";
import { sliceByColumn } from "@earendil-works/pi-tui/dist/utils.js";
import { allUnsupported } from "../unsupported.js";
import { HStack, MouseRegion, ScrollView, VStack } from "./stacks.js";

const SEQUENCE = /\x1b(?:\[[0-9;:?<>=]*[ -/]*[@-~]|[\]_P^][\s\S]*?(?:\x07|\x1b\\)|[@-Z\\^_])/g;

function stripTerminalSequences(text: string): string {
  return text.replace(SEQUENCE, "");
}

/** Parses `\x1b]11;rgb:1e1e/1e1e/1e1e`, a terminal's answer to a query for its background color. */
function parseOsc11BackgroundColor(text: string): { r: number; g: number; b: number } | undefined {
  const match = /\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(text);
  if (match === null) return undefined;
  const [r, g, b] = match
    .slice(1)
    .map((part) => Math.round((Number.parseInt(part, 16) / (16 ** part.length - 1)) * 255));
  return { r: r as number, g: g as number, b: b as number };
}

function compositeTuiLine(base: string, over: string, column: number, overWidth: number, totalWidth: number): string {
  return overlaid(base, over, { column, width: overWidth, total: totalWidth });
}

/** The cell of a text cursor, in reverse video. */
function renderFakeCursor(character: string): string {
  return `\x1b[7m${character}\x1b[27m`;
}

export const piTui: Readonly<Record<string, unknown>> = {
  ...library,
  sliceByColumn,
  stripTerminalSequences,
  parseOsc11BackgroundColor,
  compositeTuiLine,
  renderFakeCursor,
  HStack,
  VStack,
  ScrollView,
  MouseRegion,
  isViewportTUI: () => false,
  setCapabilityOverrides: () => {},
  getOsc8LinkAtColumn: () => undefined,
  parseTerminalColorSchemeReport: () => undefined,
  ...allUnsupported(
    ["TuiMainScreen", "TuiAltScreen"],
    "Do not open a second screen: use the tui that ctx.ui.custom() passes to its factory.",
  ),
  ...allUnsupported(["Marked", "renderLatex", "getNativeClipboard"], "Use Markdown, and copyToClipboard."),
};
