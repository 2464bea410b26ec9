// An extension in the older module format.
const { truncateTail } = require("@earendil-works/pi-coding-agent");
const { Type } = require("typebox");

module.exports = (pi) => {
  pi.registerTool({
    name: "last_line",
    label: "Last line",
    description: "The last line of a text",
    parameters: Type.Object({ text: Type.String() }),
    execute: async (_id, { text }) => ({
      content: [{ type: "text", text: truncateTail(text, { maxLines: 1 }).content }],
      details: undefined,
    }),
  });
};
