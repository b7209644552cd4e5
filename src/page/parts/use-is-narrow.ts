import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 800px)');

/** Whether the window is as narrow as a phone. Rows of long lists have one height there and another elsewhere. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(listen, () => narrow.matches);
}

function listen(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
