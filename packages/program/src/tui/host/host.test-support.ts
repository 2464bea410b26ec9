/** A host without a terminal: tests open a panel, press keys by name and read what is drawn. */
import { asNotice, type Notice } from "@bough/session/text/index.js";
import { ASCII_GLYPHS, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { createKeyMap, type KeyOverrides } from "../keys/create-key-map.js";
import { namedKeyPress } from "../keys/named-key-press.test-support.js";
import { createTheme } from "../theme/create-theme.js";
import { createHost, type OwnedHost, type StatusLine } from "./create-host.js";
import type { Frame, Size } from "./panel.js";

export interface TestHostOptions {
  /** The size of the top panel, whatever its share. 80 by 24. */
  readonly width?: number;
  readonly height?: number;
  readonly glyphs?: "unicode" | "ascii";
  /** Milliseconds; the clock stands still until `advance`. */
  readonly now?: number;
  readonly editorText?: string;
  readonly keys?: KeyOverrides;
  /** `drawing`: sliced work is finished before the screen is read. `manual`: only by `runSlice`. */
  readonly slices?: "drawing" | "manual";
}

export interface TestHost extends OwnedHost {
  /** Presses keys by name: "down", "ctrl+o", "L". Throws if no panel is open. Returns whether the last one was used. */
  press(...names: readonly string[]): boolean;
  /** Presses one key for each character. */
  type(text: string): void;
  paste(text: string): void;
  /** What is drawn, without trailing spaces. Fails if the panel draws outside its size. */
  readonly lines: readonly string[];
  readonly screen: string;
  /** The same with line breaks as spaces, for text that may have been wrapped. */
  readonly oneLine: string;
  readonly cursor: Frame["cursor"];
  readonly size: Size;
  resize(size: Size): void;
  advance(milliseconds: number): void;
  /** Runs one slice of waiting work. False if there is none. */
  runSlice(): boolean;
  /** Everything shown in the status line, oldest first. */
  readonly statuses: readonly StatusLine[];
  readonly copied: readonly string[];
  /** Lets everything that is already resolved continue; not for waiting on time. */
  settle(): Promise<void>;
}

export function testHost(options: TestHostOptions = {}): TestHost {
  let size: Size = { width: options.width ?? 80, height: options.height ?? 24 };
  let now = options.now ?? Date.UTC(2026, 0, 2, 12);
  let editorText = options.editorText ?? "";
  const waiting: (() => void)[] = [];
  const copied: string[] = [];
  const statuses: StatusLine[] = [];
  const host = createHost({
    theme: createTheme({ name: "default", colours: "plain" }),
    glyphs: options.glyphs === "ascii" ? ASCII_GLYPHS : UNICODE_GLYPHS,
    keys: createKeyMap({ scopes: ALL_KEYS, overrides: options.keys ?? {} }),
    now: () => now,
    requestDraw: () => {},
    later: (work) => waiting.push(work),
    editorText: () => editorText,
    setEditorText: (text) => {
      editorText = text;
    },
    lend: (work) => work(),
    copy: (text) => copied.push(text),
  });
  const top = () => {
    if (host.top === undefined) throw new Error("bug: no panel is open");
    return host.top;
  };
  const runSlice = (): boolean => {
    const work = waiting.shift();
    work?.();
    return work !== undefined;
  };
  const draw = (): Frame => {
    if (options.slices !== "manual") while (runSlice());
    return checkedFrame(top().draw(size), size);
  };
  /** A question must be on the screen before a key can be meant for it. */
  const pressOne = (name: string): boolean => {
    if (top().isQuestion === true) top().draw(size);
    return top().handleKey(namedKeyPress(name));
  };
  const additions = {
    press: (...names: readonly string[]) => names.map(pressOne).at(-1) ?? false,
    type: (text: string) => {
      for (const character of text) pressOne(character);
    },
    paste: (text: string) => top().handlePaste?.(text),
    status: (said: string | Notice, level: StatusLine["level"] = "info") => {
      statuses.push({ ...asNotice(said), level });
      host.status(said, level);
    },
    resize: (next: Size) => {
      size = next;
    },
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    runSlice,
    copied,
    statuses,
  };
  const readings = {
    lines: { get: () => draw().lines.map((line) => line.trimEnd()) },
    screen: {
      get: () =>
        draw()
          .lines.map((line) => line.trimEnd())
          .join("\n"),
    },
    oneLine: {
      get: () =>
        draw()
          .lines.map((line) => line.trim())
          .join(" "),
    },
    cursor: { get: () => draw().cursor },
    size: { get: () => size },
  };
  // Getters, not values, so that the host's own getters stay live.
  const whole = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(host), ...readings });
  return Object.assign(whole as OwnedHost & Pick<TestHost, keyof typeof readings>, additions);
}

/** What every panel guarantees about its frames. */
function checkedFrame(frame: Frame, { width, height }: Size): Frame {
  const { lines, cursor } = frame;
  if (lines.length > height) throw new Error(`${lines.length} lines were drawn where ${height} fit`);
  for (const line of lines) {
    if (/[\x00-\x1f\x7f-\x9f]/.test(line)) throw new Error(`A control character was drawn: ${JSON.stringify(line)}`);
    if (displayWidth(line) > width) throw new Error(`A line is wider than ${width}: ${JSON.stringify(line)}`);
  }
  if (cursor !== undefined && (cursor.row >= lines.length || cursor.column > width)) {
    throw new Error(`The cursor stands outside of the frame: ${JSON.stringify(cursor)}`);
  }
  return frame;
}
