import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = createQuery('(width < 800px)');

/** Whether there is space beside the content of a page. */
export const useHasRoomBeside = createQuery('(width >= 1180px)');

function createQuery(condition: string): () => boolean {
  const query = matchMedia(condition);
  const listen = (onChange: () => void): (() => void) => {
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  };
  return function useQuery() {
    return useSyncExternalStore(listen, () => query.matches);
  };
}

/** The inner width of an element: 0 before it is mounted, and measured before the first paint. */
export function useInnerWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useSizes(element, ({ clientWidth }) => setWidth(clientWidth));
  return width;
}

/**
 * Whether the content of an element needs more width than is available. The alternative layout has another width: so
 * the largest width that was ever needed counts, not the current one.
 */
export function useOverflows(frame: RefObject<HTMLElement | null>): boolean {
  const needed = useRef(0);
  const [overflows, setOverflows] = useState(false);
  useSizes(frame, ({ clientWidth, scrollWidth }) => {
    if (scrollWidth > clientWidth) needed.current = Math.max(needed.current, scrollWidth);
    setOverflows(clientWidth < needed.current);
  });
  return overflows;
}

/** Calls `look` before an element is first painted, and whenever its size or that of its content changes. */
function useSizes(element: RefObject<HTMLElement | null>, look: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    look(watched);
    const observer = new ResizeObserver(() => look(watched));
    for (const each of [watched, ...watched.children]) observer.observe(each);
    return () => observer.disconnect();
    // `look` is a new function on each render, with the same behaviour.
  }, [element]);
}
