/** Sessions in a browser: the HTML export. */
export type { HtmlScope } from "./export/chosen-entries.js";
export { exportHtml, type HtmlExport, type HtmlExportRequest, htmlExportEntries } from "./export-html.js";
