/**
 * Keys that work on every page: `Ctrl K` for the palette, `?` for the sheet of all keys, `g` and a letter for a page, `/`
 * for the search of the page and `c` for what it creates. Letters are keys only while nobody types and no dialog is open.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type LinkedPage, useAccountPages, useZonePages } from '../navigation.ts';

/** Browsers of Macs say so; elsewhere the key is another one. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

interface KeyTargets {
  readonly zoneId: string | undefined;
  /** What was asked for is on its way or open: letters are no keys. */
  readonly isPaused: boolean;
  readonly onPalette: () => void;
  readonly onSheet: () => void;
  /** Takes what is typed until the palette is there; undefined while none was asked for. */
  readonly onType: ((letter: string) => void) | undefined;
}

/** After `g`, the letter has to come within this time. */
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
      // A page has letters of its own; this one is not for it.
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  });
}

/** The pages that can be gone to from here, with their addresses. */
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

/** Somebody types there, or answers a dialog. */
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
