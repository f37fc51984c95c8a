// How wide an element is, now and after every change: figures are drawn to fit rather than scaled.
import { useEffect, useState } from "react";

export function useWidth<Frame extends HTMLElement>(before: number): [(element: Frame | null) => void, number] {
  const [frame, setFrame] = useState<Frame | null>(null);
  const [width, setWidth] = useState(before);
  useEffect(() => {
    if (frame === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)));
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);
  return [setFrame, width];
}
