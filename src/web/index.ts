/** Sessions in a browser: the HTML export. */
export { exportHtml, type HtmlExport, type HtmlExportRequest } from "./export-html.js";
