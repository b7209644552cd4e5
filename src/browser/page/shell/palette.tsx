/** Opens any page or zone by some letters of its name, and presses any button in the head of the page or of a card. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { zonesQuery } from '../api/queries.ts';
import { getProgram } from '../api/session.ts';
import { useReachablePages } from './keys.ts';

interface PaletteTarget {
  readonly value: string;
  readonly label: string;
  readonly words: string;
  /** The target page, or the button. */
  readonly to: string | HTMLButtonElement;
  /** The equivalent key, after `g`. */
  readonly key?: string;
}

interface PaletteProps {
  readonly isOpen: boolean;
  /** The text of its field, including letters that were typed before the field existed. */
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly onClose: () => void;
  readonly zoneId: string | undefined;
}

export function Palette({ isOpen, words, onWords, onClose, zoneId }: PaletteProps) {
  const navigate = useNavigate();
  const pressed = useRef<HTMLButtonElement>(undefined);
  const targets = useTargets(isOpen, zoneId);
  const go = ({ to }: PaletteTarget): void => {
    if (typeof to === 'string') void navigate({ href: to });
    else pressed.current = to;
    onClose();
  };
  // Only when this dialog is closed: the button may open one, which takes the focus.
  useEffect(() => {
    if (isOpen) return;
    pressed.current?.click();
    pressed.current = undefined;
  }, [isOpen]);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label="Go to">
          <Autocomplete.Root
            open
            inline
            items={targets}
            value={words}
            onValueChange={onWords}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(target: PaletteTarget) => `${target.label} ${target.words}`}
          >
            <Autocomplete.Input
              className="input palette-input"
              placeholder="A page, a site, or a button of this page…"
              aria-label="Go to"
            />
            <Autocomplete.Empty className="palette-empty">No matches.</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(target: PaletteTarget) => (
                <Autocomplete.Item
                  key={target.value}
                  value={target}
                  className="palette-item"
                  onClick={() => go(target)}
                >
                  {target.label}
                  {target.key !== undefined && (
                    <span aria-hidden="true">
                      <kbd>g</kbd> <kbd>{target.key}</kbd>
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useTargets(isOpen: boolean, zoneId: string | undefined): readonly PaletteTarget[] {
  const zones = useQuery({ ...zonesQuery, enabled: isOpen && getProgram() === 'serve' });
  const pages = useReachablePages(zoneId);
  const buttons = useMemo(() => (isOpen ? listButtons() : []), [isOpen]);
  return [
    ...pages.map(({ label, words, href, key }) => ({ value: href, label, words, to: href, key })),
    ...buttons.map((button, index) => {
      const label = button.textContent;
      return { value: `button ${index}`, label, words: 'do', to: button };
    }),
    ...(zones.data ?? []).map(({ id, name }) => {
      const href = `/zones/${id}`;
      return { value: `site ${id}`, label: name, words: 'site zone', to: href };
    }),
  ];
}

/** The buttons in the head of the page and of its cards: the actions on the whole page. */
function listButtons(): readonly HTMLButtonElement[] {
  const found = document.querySelectorAll<HTMLButtonElement>('main :is(.page-head, .card-head) button');
  return [...found].filter((button) => !button.disabled && button.textContent !== '');
}
