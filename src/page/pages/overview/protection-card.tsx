/** What protects the site now, and the button that protects it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { ProtectDialog } from './protect-dialog.tsx';
import { readDone, undo, writeDone } from './protect.ts';
import { describeProtection, type Protection, protectionQuery } from './protection.ts';

export function ProtectionCard({ zone }: { readonly zone: Zone }) {
  const protection = useQuery(protectionQuery(zone.id));
  return (
    <Card className="overview-protection">
      {protection.isPending ? (
        <Loading rows={1} />
      ) : protection.isError ? (
        <Failed error={protection.error} onRetry={() => void protection.refetch()} />
      ) : (
        <Now zone={zone} protection={protection.data} />
      )}
    </Card>
  );
}

function Now({ zone, protection }: { readonly zone: Zone; readonly protection: Protection }) {
  const [isOpen, setIsOpen] = useState(false);
  const { tone, word, sentence } = describeProtection(zone, protection);
  return (
    <div className="overview-now">
      <div>
        <Pill tone={tone}>{word}</Pill>
        <p className="overview-sentence">{sentence}</p>
      </div>
      <div className="row">
        <UndoButton zoneId={zone.id} />
        {(protection.origin === null || protection.managed === 'off') && (
          <Button look="primary" onClick={() => setIsOpen(true)}>
            Protect this site
          </Button>
        )}
      </div>
      {isOpen && <ProtectDialog zone={zone} protection={protection} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function UndoButton({ zoneId }: { readonly zoneId: string }) {
  const queries = useQueryClient();
  const undoing = useMutation({
    mutationFn: () => undo(zoneId, readDone(zoneId), (left) => writeDone(zoneId, left)),
    // Not waited for: what is asked again while the server is away is asked until it is back.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['zones'] }),
    onSuccess: (kept) => tell('Undone', kept.length === 0 ? undefined : kept.join(' ')),
    onError: (error) => tellError('Not everything could be undone', error),
  });
  if (readDone(zoneId).length === 0) return null;
  return (
    <Button onClick={() => undoing.mutate()} isBusy={undoing.isPending}>
      Undo “Protect this site”
    </Button>
  );
}
