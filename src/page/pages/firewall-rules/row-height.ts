/** Rows have one height, so that a thousand of them can be placed without measuring each. */
import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 700px)');

export function useRowHeight(): number {
  const isNarrow = useSyncExternalStore(listen, () => narrow.matches);
  return isNarrow ? 124 : 62;
}

function listen(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
