import { describe, expect, test } from "vitest";
import { optionsAt, screen } from "./drawn-text.test-support.js";
import { span } from "./line.js";
import { sizedColumns, type TableScreen, tableScreen } from "./table-screen.js";

interface Fruit {
  readonly name: string;
  readonly from: string;
  readonly count: number;
  readonly isMine?: boolean;
}

const FRUITS: readonly Fruit[] = [
  { name: "apple", from: "an old tree behind the house", count: 7 },
  { name: "看 pear", from: "the market", count: 1_200, isMine: true },
  { name: "plum", from: "", count: 0 },
];

const FRUIT_TABLE: TableScreen<Fruit> = {
  head: { title: "Fruit", facts: ["3 kinds"], words: "p", right: "by name" },
  columns: [
    { name: "name", least: 4, gap: 1, text: ({ name }) => name, tone: () => "text" },
    { name: "from", from: 50, share: 0.5, gap: 1, text: ({ from }) => from },
    {
      name: "count",
      from: 30,
      width: 6,
      align: "right",
      text: ({ count }) => [span(String(count).padStart(6), "note")],
    },
  ],
  rows: FRUITS,
  isHere: ({ isMine }) => isMine === true,
  empty: "No fruit.",
  notes: [[span(" Wash it first.", "muted")]],
  hints: [
    { keys: "Enter", text: "eat" },
    { keys: "x", text: "throw away" },
  ],
};

interface Drawing extends Partial<TableScreen<Fruit>> {
  readonly width: number;
  readonly height?: number;
  readonly selected?: number;
}

function drawn({ width, height = 24, selected = 0, ...change }: Drawing): string {
  const options = optionsAt(width, height);
  return screen(tableScreen({ ...FRUIT_TABLE, ...change }, { selected, top: 0 }, options).lines, options);
}

describe("a table on the screen", () => {
  test("has names above its columns, the selected row, and where the user is", () => {
    expect(drawn({ width: 60 })).toMatchInlineSnapshot(`
      "
       Fruit · 3 kinds  /p                                 by name
         name                      from                      count
       ❯ apple                     an old tree behind the …      7
       @ 看 pear                   the market                 1200
         plum                                                    0
       Wash it first.
       Enter eat   x throw away                             1 of 3
      "
    `);
  });

  test("does without names, columns and the count of rows where there is no room for them", () => {
    expect(drawn({ width: 32, selected: 1 })).toMatchInlineSnapshot(`
      "
       Fruit · 3 kinds  /p     by name
       ───────────────────────────────
         apple                       7
       ❯@看 pear                  1200
         plum                        0
       Wash it first.
       Enter eat  x throw away
      "
    `);
  });

  test("says what it says where it has no rows", () => {
    expect(drawn({ width: 60, rows: [] })).toMatchInlineSnapshot(`
      "
       Fruit · 3 kinds  /p                                 by name
       ───────────────────────────────────────────────────────────
       No fruit.
       Wash it first.
       Enter eat   x throw away
      "
    `);
  });

  test("keeps its title, the selected row and the keys as long as the window has room for them", () => {
    const lines = (height: number) => drawn({ width: 40, height, selected: 2 }).trim().split("\n");
    expect([4, 3, 2, 1].map((height) => lines(height).map((line) => line.trim().slice(0, 5)))).toEqual([
      ["Fruit", "❯ plu", "Wash ", "Enter"],
      ["Fruit", "❯ plu", "Enter"],
      ["❯ plu", "Enter"],
      ["❯ plu"],
    ]);
  });

  test("gives a row other columns where it asks for them", () => {
    const columnsOf = (row: Fruit) =>
      row.isMine === true ? [{ width: 20, text: () => "mine" }] : sizedColumns(FRUIT_TABLE.columns, { width: 60 });
    expect(drawn({ width: 60, columnsOf }).split("\n").slice(3, 5)).toEqual([
      expect.stringContaining("apple"),
      " @ mine",
    ]);
  });
});

test("columns share what those with a width leave, and the last of it goes to the one without", () => {
  const columns = [
    { width: 5, text: () => "" },
    { share: 0.25, most: 8, text: () => "" },
    { least: 3, text: () => "" },
    { from: 40, width: 10, text: () => "" },
  ];
  const widths = (width: number) => sizedColumns(columns, { width }).map((column) => column.width);
  expect([60, 40, 39, 12, 4].map(widths)).toEqual([
    [5, 8, 34, 10],
    [5, 5, 17, 10],
    [5, 7, 24, 0],
    [5, 1, 3, 0],
    [5, 0, 3, 0],
  ]);
});
