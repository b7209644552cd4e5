/** Moves through the events of the list, from the open one: by buttons, and by the keys j and k. */
import { useEffect } from 'react';
import type { SecurityEvent } from '../../api/types.ts';

/** Opens the neighbour; undefined if there is none. */
export interface Walk {
  readonly newer: (() => void) | undefined;
  readonly older: (() => void) | undefined;
}

interface WalkOptions {
  /** Newest first. */
  readonly events: readonly SecurityEvent[];
  /** The id of the open event. */
  readonly opened: string | undefined;
  readonly onOpen: (eventId: string) => void;
  readonly onClose: () => void;
}

export function useWalk({ events, opened, onOpen, onClose }: WalkOptions): Walk {
  const at = opened === undefined ? -1 : events.findIndex(({ id }) => id === opened);
  const open = (index: number): (() => void) | undefined => {
    const event = events[index];
    return event === undefined ? undefined : () => onOpen(event.id);
  };
  // An event outside of the list has no neighbours in it.
  const isInList = at >= 0 || opened === undefined;
  const walk = { newer: at > 0 ? open(at - 1) : undefined, older: isInList ? open(at + 1) : undefined };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'j') walk.older?.();
      else if (event.key === 'k') walk.newer?.();
      else if (event.key === 'Escape' && opened !== undefined) onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  return walk;
}

/** Keys belong to a focused input field, and to a dialog above the page. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, select, textarea, [role=dialog], [role=menu]') !== null)
  );
}
