/** Redirects whatever anyone but the owner prints to standard output to standard error. */
import childProcess, { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { Writable } from "node:stream";
import { runningExtension } from "@bough/agent/extension/internal.js";

const STDOUT = 1;
const STDERR = 2;

export interface Outputs {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * From now on, `console.log`, `process.stdout` and file descriptor 1 lead to standard error, and so does output that a
 * child process would inherit. Lines of an extension start with its name; output of a program it started is preceded by
 * a line with the name and the command. Returns a function that undoes this.
 */
export function divertStrayOutput(outputs: Outputs): () => void {
  const undo = [
    divertStream(outputs),
    ...FD_WRITERS.map(divertDescriptor),
    divertChildren(outputs),
    divertSync(outputs),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const one of undo) one();
    syncBuiltinESMExports();
  };
}

type AnyFunction = (...args: unknown[]) => unknown;

/** Replaces a method. */
function replace(holder: object, name: string, make: (before: AnyFunction) => AnyFunction): () => void {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  const before = Reflect.get(holder, name) as AnyFunction;
  Object.defineProperty(holder, name, { configurable: true, writable: true, value: make(before) });
  return () => {
    if (own === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, own);
  };
}

function divertStream({ stdout, stderr }: Outputs): () => void {
  let isInLine = false;
  const write = (chunk: unknown, ...rest: unknown[]): boolean => {
    const encoding = rest.find((one) => typeof one === "string") as BufferEncoding | undefined;
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    const text =
      typeof chunk === "string" ? Buffer.from(chunk, encoding).toString() : Buffer.from(chunk as Uint8Array).toString();
    const name = runningExtension();
    const shown = name === undefined ? text : named(text, name, isInLine);
    if (text !== "") isInLine = !text.endsWith("\n");
    return done === undefined ? stderr.write(shown) : stderr.write(shown, done);
  };
  const undoWrite = replace(stdout, "write", () => write as AnyFunction);
  // Ending it is up to its owner.
  const undoEnd = replace(stdout, "end", () => (...args) => {
    if (args.length > 0 && typeof args[0] !== "function") write(...(args as [unknown]));
    return stdout;
  });
  return () => {
    undoWrite();
    undoEnd();
  };
}

function named(text: string, name: string, isInLine: boolean): string {
  const label = `[${name}] `;
  const lines = text.replace(/\n(?!$)/g, `\n${label}`);
  return isInLine || text === "" ? lines : `${label}${lines}`;
}

const FD_WRITERS = [
  "write",
  "writeSync",
  "writev",
  "writevSync",
  "writeFile",
  "writeFileSync",
  "appendFile",
  "appendFileSync",
];

function divertDescriptor(name: string): () => void {
  return replace(
    fs,
    name,
    (before) =>
      function (this: unknown, ...[to, ...rest]: unknown[]) {
        return before.call(this, to === STDOUT ? STDERR : to, ...rest);
      },
  );
}

/** All asynchronous variants, `spawn`, `exec`, `execFile` and `fork`, go through this method. */
function divertChildren({ stderr }: Outputs): () => void {
  return replace(
    ChildProcess.prototype,
    "spawn",
    (before) =>
      function (this: unknown, options: unknown) {
        const { file, args } = options as { readonly file?: string; readonly args?: readonly string[] };
        return before.call(this, diverted(options, stderr, args ?? [String(file)]));
      },
  );
}

function divertSync({ stderr }: Outputs): () => void {
  const undo = ["spawnSync", "execFileSync", "execSync"].map((name) =>
    replace(childProcess, name, (before) => (...args) => {
      const [command, words] = args;
      const line = [String(command), ...(Array.isArray(words) ? words.map(String) : [])];
      const last = args.at(-1);
      if (typeof last !== "object" || last === null || Array.isArray(last)) return before(...args);
      return before(...args.slice(0, -1), diverted(last, stderr, line));
    }),
  );
  return () => {
    for (const one of undo) one();
  };
}

/** A child process's options with our output replaced, announced if they had it. */
function diverted(options: unknown, stderr: Writable, command: readonly string[]): unknown {
  const { stdio } = options as { readonly stdio?: unknown };
  const list = stdio === "inherit" ? ["inherit", "inherit", "inherit"] : stdio;
  if (!Array.isArray(list) || !list.some(isOurs)) return options;
  const name = runningExtension();
  if (name !== undefined) stderr.write(`[${name}] $ ${command.join(" ")}\n`);
  return { ...(options as object), stdio: list.map((one, index) => (isOurs(one, index) ? STDERR : one)) };
}

function isOurs(one: unknown, index: number): boolean {
  if (one === "inherit") return index === STDOUT;
  return one === STDOUT || (typeof one === "object" && one !== null && "fd" in one && one.fd === STDOUT);
}
