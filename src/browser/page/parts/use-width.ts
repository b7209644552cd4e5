import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = createQuery('(width < 800px)');

/** Whether something fits beside the content of a page. */
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

/** The width inside of the borders of an element: 0 before it is there, and measured before anything is painted. */
export function useInnerWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useSizes(element, ({ clientWidth }) => setWidth(clientWidth));
  return width;
}

/**
 * Whether what an element frames needs more width than there is. What is shown instead has another width: so the most that
 * was ever needed counts, and not what is there now.
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

/** Looks at an element before it is painted first, and whenever its size or that of what it frames changes. */
function useSizes(element: RefObject<HTMLElement | null>, look: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    look(watched);
    const observer = new ResizeObserver(() => look(watched));
    for (const each of [watched, ...watched.children]) observer.observe(each);
    return () => observer.disconnect();
    // `look` is made anew with each render, and does the same.
  }, [element]);
}
