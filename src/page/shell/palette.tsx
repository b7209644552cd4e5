/** Goes to any page or zone by typing some letters of its name. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { zonesQuery } from '../api/queries.ts';
import { getProgram } from '../api/session.ts';
import { useAccountPages, useZonePages } from '../navigation.ts';

interface Target {
  readonly value: string;
  readonly label: string;
  readonly words: string;
  readonly href: string;
}

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly zoneId: string | undefined;
}

export function Palette({ isOpen, onClose, zoneId }: PaletteProps) {
  const zones = useQuery({ ...zonesQuery, enabled: isOpen && getProgram() === 'serve' });
  const [zonePages, accountPages] = [useZonePages(), useAccountPages()];
  const navigate = useNavigate();
  const targets: readonly Target[] = [
    ...(zoneId === undefined
      ? []
      : zonePages.map((page) => toTarget(page, page.path.replace('$zoneId', zoneId)))),
    ...accountPages.map((page) => toTarget(page, page.path)),
    ...(zones.data ?? []).map(({ id, name }) =>
      toTarget({ label: name, words: 'site zone' }, `/zones/${id}`),
    ),
  ];
  const go = (target: Target): void => {
    onClose();
    void navigate({ href: target.href });
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label="Go to">
          <Autocomplete.Root
            open
            inline
            items={targets}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(target: Target) => `${target.label} ${target.words}`}
          >
            <Autocomplete.Input
              className="input palette-input"
              placeholder="Go to a page or a site…"
              aria-label="Go to"
            />
            <Autocomplete.Empty className="palette-empty">Nothing has this name.</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(target: Target) => (
                <Autocomplete.Item
                  key={target.value}
                  value={target}
                  className="palette-item"
                  onClick={() => go(target)}
                >
                  {target.label}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function toTarget({ label, words }: { label: string; words: string }, href: string): Target {
  return { value: href, label, words, href };
}
