// Lets the table of subcommands take the row out of the file of each subcommand without the code below it. The row is what
// help, completion and the parsing of arguments read; the code is loaded when the subcommand runs.
import { rolldown } from "rolldown";

const TABLE = /\/cli\/subcommand\/subcommands\.ts$/;
const ROW = "?row";

/**
 * A static import in the table leads to a module with the row and what the row needs. A dynamic one leads to the file.
 * `isPartOfRow` tells those modules and what they import, when all are known.
 *
 * @returns {{ plugin: import("rolldown").Plugin, isPartOfRow: (id: string) => boolean }}
 */
export function subcommandRows() {
  /** @type {Set<string>} */
  const shared = new Set();
  return {
    plugin: {
      name: "subcommand-rows",
      async resolveId(source, importer = "", { kind }) {
        const isOfRow = importer.endsWith(ROW);
        if (!isOfRow && !(TABLE.test(importer) && kind === "import-statement")) return null;
        const found = await this.resolve(source, importer, { skipSelf: true });
        if (found === null || !isOfRow) return found && `${found.id}${ROW}`;
        shared.add(found.id);
        return found;
      },
      load: (id) => (id.endsWith(ROW) ? rowOf(id.slice(0, -ROW.length)) : null),
    },
    isPartOfRow: (id) => id.endsWith(ROW) || shared.has(id),
  };
}

/** The file as if it exported its row alone. @param {string} file */
async function rowOf(file) {
  const entry = `${file}${ROW}`;
  const bundle = await rolldown({
    input: entry,
    tsconfig: false,
    treeshake: { moduleSideEffects: false },
    makeAbsoluteExternalsRelative: false,
    plugins: [
      {
        name: "row-alone",
        resolveId: (source) => (source === entry || source === file ? source : { id: source, external: true }),
        load: (id) => (id === entry ? `export { row } from ${JSON.stringify(file)};` : null),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ comments: false });
    const [{ code }] = output;
    return { code, moduleType: /** @type {const} */ ("js") };
  } finally {
    await bundle.close();
  }
}
