/** Starts the page of an export: reads the session data in the file. */
import "./style/page.css";
import { type ExportFacts, FACTS_ID } from "../data/export-facts.js";
import { ExportSource } from "./data/page-source.js";
import { startPage } from "./start-page.js";
import { PageStore } from "./state/page-store.js";

const root = document.getElementById("bough");
const facts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? "null") as ExportFacts | null;
if (root !== null && facts !== null) startPage(new PageStore(new ExportSource(facts)), root);
