/** Runs the alarm of an object now, or deletes it. */
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { WriteButton } from '../../parts/forms/write-button.tsx';
import { showError, tell } from '../../parts/toasts.tsx';
import { objectPath, type ShownObjectPlace } from './object-queries.ts';

interface AlarmButtonsProps {
  readonly place: ShownObjectPlace;
  readonly can: { readonly can_run_alarm: boolean; readonly can_cancel_alarm: boolean };
}

export function AlarmButtons({ place, can }: AlarmButtonsProps) {
  return (
    <span className="row row-firm">
      {can.can_run_alarm && (
        <WriteButton
          size="small"
          write={() => resultOf(client.post(`${objectPath}/alarm`, { ...place }))}
          failed="The alarm did not run"
          onDone={describeRun}
        >
          Run now
        </WriteButton>
      )}
      {can.can_cancel_alarm && (
        <WriteButton
          size="small"
          write={() => client.delete(`${objectPath}/alarm`, { ...place })}
          done="The alarm is cancelled"
          failed="The alarm was not cancelled"
        >
          Cancel alarm
        </WriteButton>
      )}
    </span>
  );
}

function describeRun({ outcome, error = 'Its handler threw an error.' }: Result<'objects.runAlarm'>): void {
  if (outcome === 'completed') tell('The alarm has run');
  else if (outcome === 'skipped') tell('The alarm did not run', 'The object has since moved or deleted it.');
  else showError('The alarm ran and failed; it will be tried again', new Error(error));
}
