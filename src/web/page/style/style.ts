/** The looks of the page. What stands later has the last word: small screens, preferences, paper. */
import "./theme.css";
import "./layout.css";
import "./tree-rows.css";
import "./transcript.css";
import "./code-colours.css";
import "./dialogs.css";
import "./scriptless.css";
import "./narrow.css";
import "./preferences.css";
import "./printed.css";
