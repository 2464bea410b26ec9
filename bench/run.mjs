/** `npm run bench`: measures the built library, prints the tables, writes the results, checks the budgets. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Bench } from "./bench.mjs";
import { CASES } from "./cases/index.mjs";
import { BOUGH, otherImplementation } from "./implementations.mjs";
import { helpText, parseOptions } from "./options.mjs";
import { formatBytes, formatCount } from "./report/format.mjs";
import { budgetTable, measurementTable } from "./report/print.mjs";

const LATEST = fileURLToPath(new URL("./results/latest.json", import.meta.url));
process.exitCode = main(process.argv.slice(2));

/**
 * @param {readonly string[]} args
 * @returns {number} the exit code
 */
function main(args) {
  const names = CASES.map(({ name }) => name);
  const parsed = parseOptions(args, names);
  if (parsed.kind === "wrong") return complain(2, parsed.words);
  const { options } = parsed;
  if (options.help) {
    process.stdout.write(helpText(names));
    return 0;
  }
  const other = otherImplementation(process.env);
  if (other.kind === "wrong") return complain(2, other.words);
  const implementations = other.kind === "given" ? [BOUGH, other.implementation] : [BOUGH];
  const bench = new Bench({ options, implementations });
  const chosen = CASES.filter(({ name }) => options.only.includes(name));
  if (options.generate) return generate(bench, chosen);
  if (!existsSync(fileURLToPath(BOUGH.engine)))
    return complain(1, "There is no build in dist/: run npm run build first");
  for (const { name, run } of chosen) {
    try {
      run(bench);
    } catch (error) {
      // The other cases are still worth measuring.
      bench.faults.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    } finally {
      bench.tidy();
    }
  }
  return report(bench, other.kind === "given" ? other.implementation.engine : "not given");
}

/**
 * @param {Bench} bench
 * @param {readonly import("./cases/case.mjs").Case[]} chosen
 */
function generate(bench, chosen) {
  const say = (/** @type {{ name: string, entries: number, bytes: number }} */ { name, entries, bytes }) =>
    bench.progress(`${name}: ${formatCount(entries)} entries, ${formatBytes(bytes)}`);
  for (const data of bench.data([...new Set(chosen.flatMap((one) => one.data))])) say(data);
  for (const { folders } of chosen) for (const folder of folders?.(bench) ?? []) say(folder);
  return 0;
}

/**
 * @param {Bench} bench
 * @param {string} other
 */
function report(bench, other) {
  const budgets = bench.judged();
  const machine = {
    date: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? "",
    memory: totalmem(),
  };
  const { options, rows, faults } = bench;
  const results = `${JSON.stringify({ ...machine, options, other, budgets, faults, rows }, null, 2)}\n`;
  for (const path of [...(options.once ? [] : [LATEST]), ...(options.json === undefined ? [] : [options.json])]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, results);
  }
  process.stdout.write(
    [
      `Node ${machine.node}, ${machine.platform}, ${machine.cpus} x ${machine.cpu}, ${machine.date}`,
      `other implementation: ${other}`,
      "",
      measurementTable(rows),
      budgetTable(budgets),
      ...faults.map((fault) => `FAULT ${fault}`),
      "",
    ].join("\n"),
  );
  const missed = !options.once && budgets.some(({ verdict }) => verdict === "missed by more than 2x");
  const failed = faults.length > 0 || missed;
  return failed ? 1 : 0;
}

/**
 * @param {number} code
 * @param {string} words
 */
function complain(code, words) {
  process.stderr.write(`${words}\n`);
  return code;
}
