// Light, dark, or as the system says. The style sheet knows both; this only says which.
import { useState } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const place = "repertoire-theme";

/** Storage may be closed to a page from disk or in a private window; then the choice lasts as long as the page. */
function remembered(): Theme {
  try {
    const kept = localStorage.getItem(place);
    return themes.find((theme) => theme === kept) ?? "system";
  } catch {
    return "system";
  }
}

function wear(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function wearRememberedTheme(): void {
  wear(remembered());
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(remembered);
  const choose = (next: Theme) => {
    setTheme(next);
    wear(next);
    try {
      localStorage.setItem(place, next);
    } catch {
      // The page keeps it until it is closed.
    }
  };
  return [theme, choose];
}
