/** What protects the site now, and the button that protects it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { readDone, writeDone } from './done-steps.ts';
import { ProtectDialog } from './protect-dialog.tsx';

type Protection = Result<'protection.get'>;

const tones: Readonly<Record<Protection['state'], 'good' | 'warn' | 'bad'>> = {
  'not served': 'bad',
  paused: 'bad',
  'not protected': 'bad',
  'partly protected': 'warn',
  protected: 'good',
};

export function ProtectionCard({ zone }: { readonly zone: Zone }) {
  const protection = useQuery({
    queryKey: ['zones', zone.id, 'protection'],
    queryFn: ({ signal }) =>
      resultOf(client.get('/zones/{zone_id}/protection', { zone_id: zone.id, signal })),
  });
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
  const { state, sentence } = protection;
  return (
    <div className="overview-now">
      <div>
        <Pill tone={tones[state]}>{`${state[0]!.toUpperCase()}${state.slice(1)}`}</Pill>
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
    async mutationFn() {
      const body = { steps: readDone(zoneId) };
      const { kept } = await resultOf(
        client.post('/zones/{zone_id}/protection/undo', { zone_id: zoneId, body }),
      );
      writeDone(zoneId, []);
      return kept;
    },
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
