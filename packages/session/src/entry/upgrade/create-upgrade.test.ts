import { describe, expect, it } from "vitest";
import { createUpgrade } from "./create-upgrade.js";
import { linearId } from "./linear-id.js";

function upgrade(lines: readonly string[]): string[] {
  const upgrade = createUpgrade();
  return lines.map((line) => upgrade.upgradeLine(line));
}

const TIME = "2025-12-01T10:00:00.000Z";
const id = (ordinal: number) => linearId("s", ordinal);

describe("version 1", () => {
  const header = `{"type":"session","id":"s","timestamp":"${TIME}","cwd":"/w"}`;
  const header3 = `{"type":"session","version":3,"id":"s","timestamp":"${TIME}","cwd":"/w"}`;

  it("becomes a straight line with ids from the ordinals", () => {
    expect(
      upgrade([
        header,
        '{"type":"message","timestamp":"t1","message":{"role":"user","content":"a"}}',
        '{"type":"model_change","timestamp":"t2","provider":"p","modelId":"m"}',
      ]),
    ).toEqual([
      header3,
      `{"type":"message","id":"${id(1)}","parentId":null,"timestamp":"t1","message":{"role":"user","content":"a"}}`,
      `{"type":"model_change","id":"${id(2)}","parentId":"${id(1)}","timestamp":"t2","provider":"p","modelId":"m"}`,
    ]);
  });

  it("keeps the settings of the header and renames branchedFrom", () => {
    expect(
      upgrade([
        `{"type":"session","id":"s","timestamp":"${TIME}","cwd":"/w","provider":"p","modelId":"m","thinkingLevel":"off","branchedFrom":"/old.jsonl"}`,
      ]),
    ).toEqual([
      `{"type":"session","version":3,"id":"s","timestamp":"${TIME}","cwd":"/w","provider":"p","modelId":"m","thinkingLevel":"off","parentSession":"/old.jsonl"}`,
    ]);
  });

  it("keeps branchedFrom where a parentSession is already there", () => {
    expect(upgrade(['{"type":"session","id":"s","timestamp":"t","branchedFrom":"/a","parentSession":"/b"}'])).toEqual([
      '{"type":"session","version":3,"id":"s","timestamp":"t","branchedFrom":"/a","parentSession":"/b"}',
    ]);
  });

  it("turns the index of a compaction into an id, counting the header and every line that is JSON", () => {
    expect(
      upgrade([
        header,
        '{"type":"message","timestamp":"t1","message":{}}',
        "",
        "not json",
        "7",
        '{"type":"message","timestamp":"t3","message":{}}',
        '{"type":"compaction","timestamp":"t4","summary":"s","firstKeptEntryIndex":3,"tokensBefore":5e4}',
      ]),
    ).toEqual([
      header3,
      `{"type":"message","id":"${id(1)}","parentId":null,"timestamp":"t1","message":{}}`,
      "",
      "not json",
      "7",
      `{"type":"message","id":"${id(3)}","parentId":"${id(1)}","timestamp":"t3","message":{}}`,
      `{"type":"compaction","id":"${id(4)}","parentId":"${id(3)}","timestamp":"t4","summary":"s","firstKeptEntryId":"${id(3)}","tokensBefore":5e4}`,
    ]);
  });

  it.each([
    ["the compaction itself", "2"],
    ["a record after it", "3"],
    ["a place before the file", "-1"],
    ["no whole number", "1.5"],
    ["text", '"1"'],
  ])("keeps an index that names %s unchanged, without an ID", (_, index) => {
    const lines = upgrade([
      header,
      '{"type":"custom","timestamp":"t1"}',
      `{"type":"compaction","timestamp":"t2","firstKeptEntryIndex":${index}}`,
      '{"type":"custom","timestamp":"t3"}',
    ]);
    expect(lines[2]).toBe(
      `{"type":"compaction","id":"${id(2)}","parentId":"${id(1)}","timestamp":"t2","firstKeptEntryIndex":${index}}`,
    );
  });

  it("takes an index that names the header for the first entry, also behind a line that is not one", () => {
    const lines = upgrade([
      header,
      "7",
      '{"type":"custom","timestamp":"t2"}',
      '{"type":"custom","timestamp":"t3"}',
      '{"type":"compaction","timestamp":"t4","firstKeptEntryIndex":0}',
    ]);
    expect(lines[4]).toBe(
      `{"type":"compaction","id":"${id(4)}","parentId":"${id(3)}","timestamp":"t4","firstKeptEntryId":"${id(2)}"}`,
    );
  });

  it("keeps an index that names the header unchanged if there is no entry before the compaction", () => {
    expect(upgrade([header, '{"type":"compaction","timestamp":"t1","firstKeptEntryIndex":0}'])[1]).toBe(
      `{"type":"compaction","id":"${id(1)}","parentId":null,"timestamp":"t1","firstKeptEntryIndex":0}`,
    );
  });

  it("keeps ids and links that some lines already have", () => {
    expect(
      upgrade([
        header,
        '{"type":"custom","timestamp":"t1","id":"own"}',
        '{"type":"custom","timestamp":"t2"}',
        '{"type":"custom","id":"b","parentId":"own","timestamp":"t3"}',
        '{"type":"compaction","timestamp":"t4","firstKeptEntryIndex":1}',
      ]),
    ).toEqual([
      header3,
      '{"type":"custom","id":"own","parentId":null,"timestamp":"t1"}',
      `{"type":"custom","id":"${id(2)}","parentId":"own","timestamp":"t2"}`,
      '{"type":"custom","id":"b","parentId":"own","timestamp":"t3"}',
      `{"type":"compaction","id":"${id(4)}","parentId":"b","timestamp":"t4","firstKeptEntryId":"own"}`,
    ]);
  });

  it("upgrades a second header too and keeps both out of the tree", () => {
    expect(upgrade([header, header, '{"type":"custom","timestamp":"t"}'])).toEqual([
      header3,
      header3,
      `{"type":"custom","id":"${id(2)}","parentId":null,"timestamp":"t"}`,
    ]);
  });

  it("upgrades entries before the header only if told to", () => {
    const entry = '{"type":"custom","timestamp":"t"}';
    expect(upgrade([entry, header, entry])).toEqual([
      entry,
      header3,
      `{"type":"custom","id":"${id(2)}","parentId":null,"timestamp":"t"}`,
    ]);
    const told = createUpgrade(header);
    expect([entry, header, entry].map((line) => told.upgradeLine(line))).toEqual([
      `{"type":"custom","id":"${id(0)}","parentId":null,"timestamp":"t"}`,
      header3,
      `{"type":"custom","id":"${id(2)}","parentId":"${id(0)}","timestamp":"t"}`,
    ]);
  });
});

describe("version 2 with id and parentId", () => {
  const header = `{"type":"session","version":2,"id":"s","timestamp":"${TIME}","cwd":"/w"}`;
  const header3 = `{"type":"session","version":3,"id":"s","timestamp":"${TIME}","cwd":"/w"}`;

  it("renames the role hookMessage and changes no other byte", () => {
    const lines = [
      '{"parentId":null, "id":"a","type":"message","timestamp":"t","message":{"role":"user","content":"hookMessage"}}',
      '{"id":"b","type":"message", "parentId":"a","timestamp":"t","message":{ "n":1e-05, "role" : "hookMessage","content":"\\u0061 \\"role\\":\\"hookMessage\\""}, "x":[ ]}\r',
      '{"type":"custom","id":"c","parentId":"b","timestamp":"t","message":{"role":"hookMessage"}}',
    ];
    expect(upgrade([header, ...lines])).toEqual([
      header3,
      lines[0],
      lines[1]?.replace('"role" : "hookMessage"', '"role" : "custom"'),
      lines[2],
    ]);
  });

  it("gives an entry without id or links the place it has in the file", () => {
    expect(
      upgrade([
        header,
        '{"type":"custom","id":"a","parentId":null,"timestamp":"t"}',
        '{"type":"custom","timestamp":"t"}',
        '{"type":"custom","id":"c","timestamp":"t"}',
      ]).slice(2),
    ).toEqual([
      `{"type":"custom","id":"${id(2)}","parentId":"a","timestamp":"t"}`,
      '{"type":"custom","id":"c","parentId":null,"timestamp":"t"}',
    ]);
  });

  it("gives a branch summary without fromId one", () => {
    expect(
      upgrade([
        header,
        '{"type":"branch_summary","id":"a","parentId":null,"timestamp":"t","summary":"1"}',
        '{"type":"branch_summary","id":"b","parentId":"a","timestamp":"t","summary":"2"}',
        '{"type":"branch_summary","id":"c","parentId":"a","timestamp":"t","summary":"3","fromId":"z"}',
      ]).slice(1),
    ).toEqual([
      '{"type":"branch_summary","id":"a","parentId":null,"timestamp":"t","summary":"1","fromId":"root"}',
      '{"type":"branch_summary","id":"b","parentId":"a","timestamp":"t","summary":"2","fromId":"a"}',
      '{"type":"branch_summary","id":"c","parentId":"a","timestamp":"t","summary":"3","fromId":"z"}',
    ]);
  });
});

describe("version 2 with uuid and parentUuid", () => {
  it("takes the header out of the tree and renames links, anchors and summaries", () => {
    expect(
      upgrade([
        `{"type":"session","version":2,"uuid":"root","parentUuid":null,"id":"s","timestamp":"${TIME}","cwd":"/w"}`,
        '{"type":"message","uuid":"a","parentUuid":"root","message":{"role":"user","content":"x"}}',
        '{"type":"message","uuid":"b","parentUuid":"a","timestamp":"own","message":{"role":"hookMessage"}}',
        '{"type":"compaction","uuid":"c","parentUuid":"b","summary":"s","firstKeptEntryUuid":"b","tokensBefore":1}',
        '{"type":"stack_summary","uuid":"d","parentUuid":"a","summary":"after a"}',
        '{"type":"stack_summary","uuid":"e","parentUuid":"root","summary":"all"}',
        '{"type":"branch_summary","uuid":"f","parentUuid":null,"summary":"x"}',
        '{"type":"compaction","uuid":"g","parentUuid":"f","firstKeptEntryUuid":"root"}',
      ]),
    ).toEqual([
      `{"type":"session","version":3,"id":"s","timestamp":"${TIME}","cwd":"/w"}`,
      `{"type":"message","id":"a","parentId":null,"timestamp":"${TIME}","message":{"role":"user","content":"x"}}`,
      '{"type":"message","id":"b","parentId":"a","timestamp":"own","message":{"role":"custom"}}',
      `{"type":"compaction","id":"c","parentId":"b","timestamp":"${TIME}","summary":"s","firstKeptEntryId":"b","tokensBefore":1}`,
      `{"type":"branch_summary","id":"d","parentId":"a","timestamp":"${TIME}","summary":"after a","fromId":"a"}`,
      `{"type":"branch_summary","id":"e","parentId":null,"timestamp":"${TIME}","summary":"all","fromId":"root"}`,
      `{"type":"branch_summary","id":"f","parentId":null,"timestamp":"${TIME}","summary":"x","fromId":"root"}`,
      `{"type":"compaction","id":"g","parentId":"f","timestamp":"${TIME}","firstKeptEntryId":"f"}`,
    ]);
  });

  it("uses a time that is plainly none where not even the header has one", () => {
    expect(
      upgrade([
        '{"type":"session","version":2,"uuid":"r","parentUuid":null,"id":"s","cwd":"/w"}',
        '{"type":"custom","uuid":"a","parentUuid":"r"}',
      ]),
    ).toEqual([
      '{"type":"session","version":3,"id":"s","timestamp":"1970-01-01T00:00:00.000Z","cwd":"/w"}',
      '{"type":"custom","id":"a","parentId":null,"timestamp":"1970-01-01T00:00:00.000Z"}',
    ]);
  });

  it("decides line by line in a file of both dialects", () => {
    expect(
      upgrade([
        '{"type":"session","version":2,"uuid":"r","id":"s","timestamp":"t"}',
        '{"type":"custom","id":"a","parentId":"r","timestamp":"t"}',
        '{"type":"custom","uuid":"b","parentUuid":"a","timestamp":"t"}',
        '{"type":"custom","id":"c","uuid":"kept","parentId":"b","timestamp":"t"}',
        '{"type":"custom","uuid":"d","id":null,"parentId":"c","timestamp":"t"}',
      ]),
    ).toEqual([
      '{"type":"session","version":3,"id":"s","timestamp":"t"}',
      '{"type":"custom","id":"a","parentId":null,"timestamp":"t"}',
      '{"type":"custom","id":"b","parentId":"a","timestamp":"t"}',
      '{"type":"custom","id":"c","uuid":"kept","parentId":"b","timestamp":"t"}',
      '{"type":"custom","id":"d","parentId":"c","timestamp":"t"}',
    ]);
  });
});

describe("files and lines that are not changed", () => {
  const odd = [
    '{"type":"message","id":"b","parentId":"a","message":{"role":"hookMessage"}}',
    '{"type":"stack_summary","uuid":"c","parentUuid":"b"}',
    '{"type":"custom"}',
  ];

  it.each([
    ["version 3", '{"type":"session","version":3,"id":"s","branchedFrom":"/x"}'],
    ["a later version", '{"type":"session","version":4,"id":"s","uuid":"u"}'],
    ["a version that is no number", '{"type":"session","version":"2","id":"s"}'],
    ["no header", '{"type":"session"}'],
  ])("%s", (_, header) => {
    expect(upgrade([header, ...odd])).toEqual([header, ...odd]);
  });

  it("a title line before a header of version 3, and before an old one", () => {
    const title = '{"type":"title","v":1,"title":"x","pad":"  "}';
    const current = ['{"type":"session","version":3,"id":"s","timestamp":"t"}', ...odd];
    expect(upgrade([title, ...current])).toEqual([title, ...current]);
    expect(
      upgrade([title, '{"type":"session","id":"s","timestamp":"t"}', '{"type":"custom","timestamp":"t"}']),
    ).toEqual([
      title,
      '{"type":"session","version":3,"id":"s","timestamp":"t"}',
      `{"type":"custom","id":"${id(1)}","parentId":null,"timestamp":"t"}`,
    ]);
  });

  it("damaged lines of an old file, and they do not break the line of entries", () => {
    const damage = [
      "",
      "  \r",
      '{"type":"custom","timest',
      "[]",
      "null",
      '{"timestamp":"t"}',
      '{"type":"session"}',
      '{"type":"custom","id":5,"timestamp":"t"}',
      '{"type":"custom","id":"","timestamp":"t"}',
      '{"type":"custom","uuid":5,"timestamp":"t"}',
      '{"type":"custom","id":"x","parentId":5,"timestamp":"t"}',
      '{"type":"custom","uuid":"x","parentUuid":{},"timestamp":"t"}',
    ];
    const entry = '{"type":"custom","timestamp":"t"}';
    const lines = upgrade(['{"type":"session","id":"s","timestamp":"t"}', entry, ...damage, entry]);
    expect(lines.slice(2, -1)).toEqual(damage);
    // 3 of the 12 damaged lines are not JSON and have no ordinal.
    expect(lines.at(-1)).toBe(`{"type":"custom","id":"${id(11)}","parentId":"${id(1)}","timestamp":"t"}`);
  });
});

describe("what an upgrade does not know", () => {
  const header = '{"type":"session","version":1,"id":"s","timestamp":"t"}';

  it("survives byte for byte: numbers, escapes, blanks, repeated keys, __proto__", () => {
    const unknown = String.raw`"n":1e-05,"big":12345678901234567890,"zero":-0.0,"e":1E+2,"esc":"\u00e9\/\ud83d\ude00","raw":"é😀","sp" : [ 1 ,  2 ],"k\u0065y":1,"twice":1,"twice":2,"__proto__":{"id":"evil"}`;
    const head = `"type":"dream","id":"${id(1)}","parentId":null,"timestamp":"t"`;
    expect(upgrade([header, `{"type":"dream","timestamp":"t",${unknown}}`])[1]).toBe(`{${head},${unknown}}`);
  });

  it("keeps a byte order mark and carriage returns", () => {
    expect(upgrade([`\uFEFF${header}\r`, '{"type":"custom","timestamp":"t"}\r'])).toEqual([
      '\uFEFF{"type":"session","version":3,"id":"s","timestamp":"t"}\r',
      `{"type":"custom","id":"${id(1)}","parentId":null,"timestamp":"t"}\r`,
    ]);
  });

  it("may be nested 10,000 deep", () => {
    const deep = `${'[{"a":'.repeat(10_000)}0${"}]".repeat(10_000)}`;
    expect(
      upgrade([
        header,
        `{"x":${deep},"type":"message","timestamp":"t","message":{"role":"hookMessage","y":${deep}}}`,
      ])[1],
    ).toBe(
      `{"type":"message","id":"${id(1)}","parentId":null,"timestamp":"t","x":${deep},"message":{"role":"custom","y":${deep}}}`,
    );
  });

  it("may hold a field named like those of every object", () => {
    expect(upgrade([header, '{"type":"constructor","timestamp":"t","toString":1,"hasOwnProperty":2}'])[1]).toBe(
      `{"type":"constructor","id":"${id(1)}","parentId":null,"timestamp":"t","toString":1,"hasOwnProperty":2}`,
    );
  });
});
