/** B11: the names that the documents of this family use. */
import { inspect } from "node:util";
import type {
  BeforeTreeEvent,
  BeforeTreeResult,
  CustomMessageEntry as ExtensionCustomMessageEntry,
  ExtensionUi,
  HookMessage,
  HookUIContext,
  RegisteredCommand,
  SessionBeforeTreeEvent,
  SessionBeforeTreeResult,
  SessionTreeEvent,
  TreeEvent,
} from "@bough/agent/extension/index.js";
import type { CustomMessageEntry, SessionTreeNode } from "@bough/session/session/index.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import { user } from "../support/messages.js";
import { tree } from "../support/tree-notation.js";

describe("a session", () => {
  it("branch(null) goes before the first entry, like resetLeaf", () => {
    const session = tree("a-b");
    session.branch(null);
    expect([session.getLeafId(), session.getCurrentLeaf()]).toEqual([null, undefined]);
    expect(session.getEntry(session.appendMessage(user("again")))).toMatchObject({ parentId: null });
  });

  it("getCurrentLeaf is the entry at the leaf", () => {
    const session = tree("a-b");
    expect(session.getCurrentLeaf()).toEqual(session.getEntry("b"));
  });

  it("saveEntry appends any type below the leaf, and its own place is not used", () => {
    const session = tree("a-b");
    const id = session.saveEntry({ type: "custom", id: "mine", parentId: null, customType: "todo", data: { open: 1 } });
    expect(session.getEntry(id)).toMatchObject({ parentId: "b", customType: "todo", data: { open: 1 } });
    const said = session.saveEntry({ type: "message", message: user("hi") });
    expect([session.getLeafId(), session.getEntry(said)]).toMatchObject([said, { parentId: id, message: user("hi") }]);
    expect(session.getEntry(session.saveEntry({ type: "weather", sky: "clear" }))).toMatchObject({ sky: "clear" });
    for (const bad of [{ type: "session" }, { type: "" }, { type: "message" }]) {
      expect(() => session.saveEntry(bad)).toThrowError(expect.objectContaining({ code: "not-serializable" }));
    }
    expect(() => session.saveEntry({ type: "label", targetId: "nobody" })).toThrow("Entry nobody not found");
  });
});

it("branch without an entry fails with a code, and moves nothing", () => {
  const session = tree("a-b");
  const branch = session.branch.bind(session) as (id?: string) => void;
  expect(() => branch(undefined)).toThrow(expect.objectContaining({ code: "entry-not-found" }));
  expect(session.getLeafId()).toBe("b");
});

it("getTree gives an array of nodes that may be kept as one", () => {
  const nodes: SessionTreeNode[] = tree("a-b").getTree();
  expect(nodes.map(({ id }) => id)).toEqual(["a"]);
});

it("the names of the documents are types", () => {
  expectTypeOf<HookUIContext>().toEqualTypeOf<ExtensionUi>();
  expectTypeOf<SessionBeforeTreeEvent>().toEqualTypeOf<BeforeTreeEvent>();
  expectTypeOf<SessionBeforeTreeResult>().toEqualTypeOf<BeforeTreeResult>();
  expectTypeOf<SessionTreeEvent>().toEqualTypeOf<TreeEvent>();
  expectTypeOf<HookMessage<number>["details"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<RegisteredCommand["name"]>().toEqualTypeOf<string>();
  expectTypeOf<CustomMessageEntry>().toEqualTypeOf<ExtensionCustomMessageEntry>();
});

describe("a node of the tree", () => {
  const session = tree("a-b; a-c");
  session.appendLabelChange("b", "good");
  const plainB = { entry: session.getEntry("b"), children: [], label: "good" };

  it("spreads, clones and prints as a plain object, and is one for JSON", () => {
    const [root] = session.getTree();
    const [b] = root?.children ?? [];
    expect({ ...b }).toStrictEqual(plainB);
    expect(structuredClone(b)).toStrictEqual(plainB);
    expect(Object.keys({ ...root })).toEqual(["entry", "children"]);
    expect(structuredClone(root)).toMatchObject({ entry: { id: "a" }, children: [plainB, { entry: { id: "c" } }] });
    expect(inspect(b)).toBe(inspect(plainB));
    expect(JSON.parse(JSON.stringify(b))).toEqual(JSON.parse(JSON.stringify(plainB)));
    expect(b?.id).toBe("b");
  });
});
