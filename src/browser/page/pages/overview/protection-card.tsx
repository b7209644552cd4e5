/** The current protection of the site, and the button that protects it. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
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

export function ProtectionCard() {
  const protection = useQuery(read('/zones/{zone_id}/protection', { zone_id: useZoneId() }));
  return (
    <Card className="overview-protection">
      <Resource of={protection} rows={1}>
        {(now) => (
          <div className="row row-apart">
            <div className="grow">
              <Pill tone={tones[now.state]}>{`${now.state[0]!.toUpperCase()}${now.state.slice(1)}`}</Pill>
              <p className="overview-sentence">{now.sentence}</p>
            </div>
            <UndoButton />
            {(now.origin === null || now.managed === 'off') && (
              <DialogButton label="Protect this site" look="primary">
                {(close) => <ProtectDialog protection={now} onClose={close} />}
              </DialogButton>
            )}
          </div>
        )}
      </Resource>
    </Card>
  );
}

function UndoButton() {
  const zone_id = useZoneId();
  if (readDone(zone_id).length === 0) return null;
  return (
    <WriteButton
      write={() =>
        resultOf(
          client.post('/zones/{zone_id}/protection/undo', { zone_id, body: { steps: readDone(zone_id) } }),
        )
      }
      done={({ kept }) => ['Undone', kept.join(' ')]}
      failed="Not everything could be undone"
      onDone={() => writeDone(zone_id, [])}
    >
      Undo “Protect this site”
    </WriteButton>
  );
}
