// Starts the dashboard in the page that loaded it.
import { createRoot } from "react-dom/client";
import "./style.css";
import { App } from "./app.tsx";
import { addressed, forbidConnections, inPage } from "./data/labs.ts";
import { openAddressed } from "./pages/start.tsx";
import { wearRememberedTheme } from "./theme.ts";

if (inPage) forbidConnections();
wearRememberedTheme();
createRoot(document.getElementById("app")!).render(<App />);
if (addressed !== undefined && inPage) void openAddressed(addressed);
