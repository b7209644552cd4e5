/** The steps that change a site's protection. Each explains what will happen; an irreversible one requires typing. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type EntryRule, entryPointQuery } from '../../api/managed/entry-point.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { type Note, type SeenMigration, type MigrationStep, takeStep } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { NoteList, Refused } from './notes.tsx';

interface StepDialogProps {
  readonly onClose: () => void;
  readonly rules: readonly EntryRule[];
  readonly seen: SeenMigration;
  /** The server's notes on the configuration. */
  readonly notes: readonly Note[];
  readonly onSent: (state: MigrationState) => void;
}

/** Professional and Business: everything in one step. */
export function DeployDialog(props: StepDialogProps) {
  return (
    <TypedStepDialog {...props} title="Deploy the new managed rules" action="Deploy">
      <p>When you deploy,</p>
      <ol>
        <li>the configuration that you reviewed is stored and in force at once;</li>
        <li>
          the previous managed rules are turned off, and their settings can no longer be read or changed;
        </li>
        <li>page rules and firewall rules no longer turn managed rules on or off.</li>
      </ol>
    </TypedStepDialog>
  );
}

/** Enterprise: ends validation mode. */
export function TurnOffDialog(props: StepDialogProps) {
  return (
    <TypedStepDialog {...props} title="Ready to update" action="Turn off previous version">
      <p>When you turn off the previous version,</p>
      <ol>
        <li>
          validation mode ends, and the new managed rules act on every request, even if they only logged
          before;
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
  const { name } = useZone();
  const [typed, setTyped] = useState('');
  const step = useStep(props, { to: 'pending' });
  return (
    <FormDialog
      title={title}
      action={action}
      look="danger"
      work={step}
      problem={step.error !== null && <Refused error={step.error} />}
      isIncomplete={typed.trim() !== name}
      onSubmit={step.mutate}
      onClose={props.onClose}
    >
      {children}
      <p className="note note-bad">
        <strong>This cannot be undone.</strong> There is no way back to the previous managed rules.
      </p>
      {props.notes.length > 0 && <NoteList notes={props.notes} />}
      <TextField label={`Type ${name} to confirm`} spellCheck={false} value={typed} onChange={setTyped} />
    </FormDialog>
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

/** Enterprise: both generations side by side. */
export function StartValidationDialog(props: StepDialogProps) {
  const [isWatched, setIsWatched] = useState(true);
  const step = useStep(props, { to: 'validation', isWatched });
  return (
    <FormDialog
      title="Deploy in validation mode"
      action="Deploy"
      work={step}
      problem={step.error !== null && <Refused error={step.error} />}
      onSubmit={step.mutate}
      onClose={props.onClose}
    >
      <p>
        The previous managed rules stay in force, and the new ones run before them. You can change the
        configuration as often as you like, and turn off the previous version when you are ready.
      </p>
      <fieldset className="stack-close">
        <legend>What the new rules do meanwhile</legend>
        {choices.map((choice) => (
          <label key={choice.label} className="box choice">
            <input
              type="radio"
              name="watch"
              checked={choice.isWatched === isWatched}
              onChange={() => setIsWatched(choice.isWatched)}
            />
            <span>
              <strong>{choice.label}</strong>
              <p className="soft">{choice.hint}</p>
            </span>
          </label>
        ))}
      </fieldset>
      {props.notes.length > 0 && <NoteList notes={props.notes} />}
    </FormDialog>
  );
}

/** Sends the configuration. Whatever the answer, or without one, the state is read again. */
export function useStep(
  { rules, seen, onSent, onClose }: Omit<StepDialogProps, 'notes'>,
  step: MigrationStep,
) {
  const zoneId = useZoneId();
  const queries = useQueryClient();
  return useWrite({
    write: () => takeStep(zoneId, rules, { step, seen }),
    onDone({ entryPoint }) {
      queries.setQueryData(entryPointQuery(zoneId).queryKey, entryPoint);
      onSent(step.to);
      onClose();
    },
  });
}
