import { useSyncExternalStore } from 'react';

/** Whether the window is as narrow as a phone. Rows of long lists have one height there and another elsewhere. */
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
