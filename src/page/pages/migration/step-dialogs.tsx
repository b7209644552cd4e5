/** The steps that change what protects a site. Each says what will happen; one that cannot be undone has to be typed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import type { ConfiguredRule } from './editor/configuration.ts';
import { entryPointQuery, migrationKey, type Note, type Seen, type Step, takeStep } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { NoteList, Refused } from './notes.tsx';

interface StepDialogProps {
  readonly zone: Zone;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly rules: readonly ConfiguredRule[];
  readonly seen: Seen;
  /** What the server says about the configuration. */
  readonly notes: readonly Note[];
  readonly onSent: (state: MigrationState) => void;
}

/** Professional and Business: everything in one step. */
export function DeployDialog(props: StepDialogProps) {
  return (
    <TypedStepDialog {...props} title="Deploy the new managed rules" action="Deploy">
      <p>When you deploy,</p>
      <ol className="migration-effects">
        <li>the configuration that you reviewed is stored and in force at once;</li>
        <li>
          the previous managed rules are turned off, and their settings can no longer be read or changed;
        </li>
        <li>page rules and firewall rules no longer turn managed rules on or off.</li>
      </ol>
    </TypedStepDialog>
  );
}

/** Enterprise: the end of validation mode. */
export function TurnOffDialog(props: StepDialogProps) {
  return (
    <TypedStepDialog {...props} title="Ready to update" action="Turn off previous version">
      <p>When you turn off the previous version,</p>
      <ol className="migration-effects">
        <li>
          validation mode ends, and the new managed rules act on every request, also if they only logged;
        </li>
        <li>the previous managed rules are off, and their settings can no longer be read or changed;</li>
        <li>page rules and firewall rules no longer turn managed rules on or off.</li>
      </ol>
    </TypedStepDialog>
  );
}

interface TypedStepDialogProps extends StepDialogProps {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
}

function TypedStepDialog({ title, action, children, ...props }: TypedStepDialogProps) {
  const { zone, isOpen, notes } = props;
  const [typed, setTyped] = useState('');
  const step = useStep(props, { to: 'pending' });
  const close = (): void => {
    setTyped('');
    step.reset();
    props.onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === zone.name && !step.isPending) step.mutate();
        }}
      >
        {children}
        <p className="migration-warning">
          <strong>This cannot be undone.</strong> There is no way back to the previous managed rules.
        </p>
        {notes.length > 0 && <NoteList zoneId={zone.id} notes={notes} />}
        <Field label={`Type ${zone.name} to confirm`}>
          <TextInput
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        {step.isError && <Refused zoneId={zone.id} error={step.error} />}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="danger" disabled={typed.trim() !== zone.name} isBusy={step.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Enterprise: both generations side by side. */
export function StartValidationDialog(props: StepDialogProps) {
  const { zone, isOpen, notes } = props;
  const [isWatched, setIsWatched] = useState(true);
  const step = useStep(props, { to: 'validation', isWatched });
  const close = (): void => {
    step.reset();
    props.onClose();
  };
  return (
    <Dialog title="Deploy in validation mode" isOpen={isOpen} onClose={close}>
      <div className="dialog-body">
        <p>
          The previous managed rules stay in force, and the new ones run before them. You can change the
          configuration as often as you like, and turn off the previous version when you are ready.
        </p>
        <WatchChoice isWatched={isWatched} onChange={setIsWatched} />
        {notes.length > 0 && <NoteList zoneId={zone.id} notes={notes} />}
        {step.isError && <Refused zoneId={zone.id} error={step.error} />}
      </div>
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button look="primary" isBusy={step.isPending} onClick={() => step.mutate()}>
          Deploy
        </Button>
      </div>
    </Dialog>
  );
}

const choices = [
  {
    isWatched: true,
    label: 'The new rules only log',
    hint: 'Recommended. Visitors notice nothing. Every request is seen by both versions, so that they can be compared; what the new rules would have done is shown.',
  },
  {
    isWatched: false,
    label: 'Both versions act',
    hint: 'The new rules block and challenge at once. What they stop never reaches the previous version, and cannot be compared with it.',
  },
] as const;

function WatchChoice({
  isWatched,
  onChange,
}: {
  readonly isWatched: boolean;
  readonly onChange: (isWatched: boolean) => void;
}) {
  return (
    <fieldset className="migration-choices">
      <legend>What the new rules do meanwhile</legend>
      {choices.map((choice) => (
        <label key={choice.label} className="migration-choice">
          <input
            type="radio"
            name="watch"
            checked={choice.isWatched === isWatched}
            onChange={() => onChange(choice.isWatched)}
          />
          <span>
            <strong>{choice.label}</strong>
            <span className="migration-choice-hint">{choice.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Sends the configuration. Whatever the answer, or if there is none, the state is read again. */
export function useStep(
  {
    zone,
    rules,
    seen,
    onSent,
    onClose,
  }: Pick<StepDialogProps, 'zone' | 'rules' | 'seen' | 'onSent' | 'onClose'>,
  step: Step,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => takeStep(zone.id, rules, { step, seen }),
    onSuccess({ entryPoint }) {
      queries.setQueryData(entryPointQuery(zone.id).queryKey, entryPoint);
      onSent(step.to);
      onClose();
    },
    // Not waited for: what is asked again while the server is away is asked until it is back.
    onSettled: () => void queries.invalidateQueries({ queryKey: migrationKey(zone.id) }),
  });
}
