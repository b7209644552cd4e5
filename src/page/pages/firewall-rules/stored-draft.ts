/** What somebody is typing, kept in this tab: it survives a session that ends and a page that is loaded again. */
import { useState } from 'react';

interface Stored<Draft> {
  readonly draft: Draft;
  /** What the draft began with: if that differs from now, somebody else was there. */
  readonly seen: unknown;
}

export function useStoredDraft<Draft extends object, Seen>(key: string, fresh: Draft, current: Seen) {
  const name = `gatehouse-draft:${key}`;
  const [{ draft, seen }, setState] = useState<{ draft: Draft; seen: Seen }>(() => {
    const stored = read<Draft>(name);
    return stored === undefined
      ? { draft: fresh, seen: current }
      : { draft: { ...fresh, ...stored.draft }, seen: stored.seen as Seen };
  });
  const [isRestored] = useState(() => read(name) !== undefined);
  const keep = (next: { draft: Draft; seen: Seen }): void => {
    sessionStorage.setItem(name, JSON.stringify(next));
    setState(next);
  };
  return {
    draft,
    seen,
    isRestored,
    change: (part: Partial<Draft>) => keep({ draft: { ...draft, ...part }, seen }),
    /** Goes on from what the server has now. */
    rebase: (now: Seen, taken: Draft = draft) => keep({ draft: taken, seen: now }),
    discard: () => sessionStorage.removeItem(name),
  };
}

function read<Draft>(name: string): Stored<Draft> | undefined {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : JSON.parse(text);
}
