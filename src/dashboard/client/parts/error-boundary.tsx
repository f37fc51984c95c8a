// A view that fails to draw itself must not take the page with it: it says so, and every other view still works.
import { Component, type ReactNode } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";

type Props = { readonly children: ReactNode };
type State = { readonly error?: Error };

export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="page" role="alert">
        <h1>This view failed</h1>
        <p>The fault is the dashboard’s, not the run’s. Other views still work; reloading may help.</p>
        <pre>{visibleText(error.stack ?? error.message)}</pre>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
