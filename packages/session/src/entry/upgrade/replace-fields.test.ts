import { describe, expect, it } from "vitest";
import { ENTRY_KEYS, type FieldChange, replaceFields } from "./replace-fields.js";

function replaced(text: string, changes: Record<string, FieldChange | "drop">): string {
  return replaceFields(text, { first: ENTRY_KEYS, changes: new Map(Object.entries(changes)) });
}

describe("replaceFields", () => {
  it("puts the keys of the place first and keeps the order and the bytes of all others", () => {
    const line = String.raw`{"z": 1e-05,"timestamp":"t","b":"\u00e9","parentId": null,"id":"a","type":"x","a":[ 1 ]}`;
    expect(replaced(line, {})).toBe(
      String.raw`{"type":"x","id":"a","parentId": null,"timestamp":"t","z": 1e-05,"b":"\u00e9","a":[ 1 ]}`,
    );
  });

  it("sets, renames, drops and adds", () => {
    expect(
      replaced('{"uuid":"u","keep": 1,"gone":2,"old":3,"type":"x"}', {
        uuid: { key: "id" },
        gone: "drop",
        old: { key: "new", value: "4" },
        type: { value: '"y"' },
        parentId: { value: "null" },
        extra: { value: "[]" },
        absent: { key: "never" },
      }),
    ).toBe('{"type":"y","id":"u","parentId":null,"keep": 1,"new":4,"extra":[]}');
  });

  it("keeps what is around the object", () => {
    expect(replaced('\uFEFF {"id":"a","type":"x"} \r', {})).toBe('\uFEFF {"type":"x","id":"a"} \r');
  });

  it("takes the last of two values for a key it moves and keeps both of one it does not", () => {
    expect(replaced('{"id":"a","x":1,"id":"b","x":2,"type":"t"}', {})).toBe('{"type":"t","id":"b","x":1,"x":2}');
  });

  it("treats keys like constructor and __proto__ as any other", () => {
    const line = '{"type":"x","constructor":1,"__proto__":{"id":2},"toString":3}';
    expect(replaced(line, {})).toBe(line);
  });
});
