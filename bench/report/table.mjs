/**
 * Columns lined up with spaces, a rule under the titles. Columns named in `right` are aligned to the right.
 *
 * A cell that repeats the one above it in the leading columns is left empty, so that groups are seen at a glance.
 *
 * @param {{ titles: readonly string[], rows: readonly (readonly string[])[], right?: readonly string[], group?: number }} options
 */
export function table({ titles, rows, right = [], group = 0 }) {
  const shown = rows.map((row, index) => withoutRepeats(row, rows[index - 1], group));
  const widths = titles.map((title, column) =>
    [title, ...shown.map((row) => row[column] ?? "")].reduce((widest, cell) => Math.max(widest, width(cell)), 0),
  );
  const line = (/** @type {readonly string[]} */ row) =>
    titles
      .map((title, column) => {
        const cell = row[column] ?? "";
        const space = " ".repeat((widths[column] ?? 0) - width(cell));
        return right.includes(title) ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return `${[line(titles), line(widths.map((count) => "-".repeat(count))), ...shown.map(line)].join("\n")}\n`;
}

/**
 * @param {readonly string[]} row
 * @param {readonly string[] | undefined} above
 * @param {number} group
 */
function withoutRepeats(row, above, group) {
  let same = above !== undefined;
  return row.map((cell, column) => {
    same = same && column < group && above?.[column] === cell;
    return same ? "" : cell;
  });
}

/** Cells contain no wide characters; µ has two bytes but one column. @param {string} cell */
function width(cell) {
  return [...cell].length;
}
