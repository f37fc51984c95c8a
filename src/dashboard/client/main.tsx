// Starts the dashboard in the page that loaded it.
import { createRoot } from "react-dom/client";
import "./style/main.css";
import { App } from "./app.tsx";
import { wearRememberedTheme } from "./theme.ts";

wearRememberedTheme();
createRoot(document.getElementById("app")!).render(<App />);
