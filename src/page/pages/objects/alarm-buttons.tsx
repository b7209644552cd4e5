/** Runs the alarm of an object now, or deletes it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { type AlarmRun, cancelAlarm, type Place, runAlarm } from './object-queries.ts';

interface AlarmButtonsProps {
  readonly place: Place;
  readonly can: { readonly can_run_alarm: boolean; readonly can_cancel_alarm: boolean };
}

export function AlarmButtons({ place, can }: AlarmButtonsProps) {
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['objects'] });
  const run = useMutation({
    mutationFn: () => runAlarm(place),
    onSuccess: (ran) => tellRun(ran),
    onError: (error) => tellError('The alarm did not run', error),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: () => cancelAlarm(place),
    onSuccess: () => tell('The alarm is cancelled'),
    onError: (error) => tellError('The alarm was not cancelled', error),
    onSettled: refresh,
  });
  return (
    <span className="row objects-alarm-buttons">
      {can.can_run_alarm && (
        <Button isBusy={run.isPending} onClick={() => run.mutate()}>
          Run now
        </Button>
      )}
      {can.can_cancel_alarm && (
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel alarm
        </Button>
      )}
    </span>
  );
}

function tellRun({ outcome, error }: AlarmRun): void {
  if (outcome === 'completed') tell('The alarm has run');
  else if (outcome === 'skipped')
    tell('The alarm did not run', 'The object has moved or deleted it meanwhile.');
  else
    tellError(
      'The alarm ran and failed; it will be tried again',
      new Error(error ?? 'Its handler threw an error.'),
    );
}
