/**
 * Keys that work on every page: `Ctrl K` for the palette, `?` for the sheet of all keys, `g` and a letter for a page,
 * `/` for the search of the page and `c` for what it creates. Letters are keys only while no input has the focus and no
 * dialog is open.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type LinkedPage, useAccountPages, useZonePages } from '../navigation.ts';

/** Browsers on Macs contain these names; elsewhere the key is another one. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

interface KeyTargets {
  readonly zoneId: string | undefined;
  /** A dialog is loading or open: letters are not keys. */
  readonly isPaused: boolean;
  readonly onPalette: () => void;
  readonly onSheet: () => void;
  /** Receives typed letters until the palette is loaded; undefined while it is not requested. */
  readonly onType: ((letter: string) => void) | undefined;
}

/** The time for the letter after `g`. */
const letterMs = 1_500;

export function useKeys({ zoneId, isPaused, onPalette, onSheet, onType }: KeyTargets): void {
  const navigate = useNavigate();
  const pages = useReachablePages(zoneId);
  const goesUntilMs = useRef(0);
  useEffect(() => {
    const press = (key: string): boolean => {
      if (performance.now() < goesUntilMs.current) {
        goesUntilMs.current = 0;
        const href = pages.find((page) => page.key === key)?.href;
        if (href !== undefined) void navigate({ href });
        return true;
      }
      if (key === 'g') goesUntilMs.current = performance.now() + letterMs;
      else if (key === '?') onSheet();
      else if (key === '/') return focusSearch();
      else if (key === 'c') return clickFirst('main .page-actions .button-primary');
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPalette) onPalette();
      else if (onType !== undefined && isPlain && event.key.length === 1 && !isInPalette(event.target))
        onType(event.key);
      else if (isPaused || !isPlain || isTaken(event.target)) return;
      else if (!press(event.key)) return;
      event.preventDefault();
      // A page has letter keys of its own, which must not receive this one.
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  });
}

/** The pages that are reachable from here, with their URLs. */
export function useReachablePages(
  zoneId: string | undefined,
): readonly (LinkedPage & { readonly href: string })[] {
  const ofZone = useZonePages();
  const ofAccount = useAccountPages();
  return [
    ...(zoneId === undefined
      ? []
      : ofZone.map((page) => ({ ...page, href: page.path.replace('$zoneId', zoneId) }))),
    ...ofAccount.map((page) => ({ ...page, href: page.path })),
  ];
}

function isInPalette(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('.palette-input');
}

/** Whether an input has the focus, or a dialog is open. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  );
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('main :is([type=search], .cm-content)');
  field?.focus();
  return field !== null;
}

function clickFirst(selector: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`${selector}:not(:disabled)`);
  button?.click();
  return button !== null;
}
