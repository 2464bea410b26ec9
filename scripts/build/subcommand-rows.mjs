// Separates the row of each subcommand from its code. Help, completion and argument parsing need the rows of all
// subcommands; the code is loaded only when the subcommand runs. See docs/decisions/0067-a-subcommand-is-one-file.md.
import { rolldown } from "rolldown";

const TABLE = /\/cli\/subcommand\/subcommands\.ts$/;
const ROW = "?row";

/**
 * A static import in the table resolves to the row and what it needs, a dynamic import to the whole file. `isPartOfRow`
 * tells the rows and the modules they import from all others, once everything is resolved.
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

/** The code of a file after everything that `row` does not need is removed. @param {string} file */
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
