/** Writing into an object is locked until its name is typed, for as long as the object is open. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import type { StatefulObject } from './object-queries.ts';

/** What the parts of an object need to know to write. */
export interface Writing {
  readonly isUnlocked: boolean;
  setUnlocked(isUnlocked: boolean): void;
}

interface WritingBarProps {
  readonly object: StatefulObject;
  readonly writing: Writing;
}

export function WritingBar({ object, writing }: WritingBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const close = (): void => {
    setIsOpen(false);
    setTyped('');
  };
  if (!object.is_writable) {
    return (
      <p className="soft objects-locked">
        Read only: {object.write_refusal ?? 'this object must not be changed here'}.
      </p>
    );
  }
  if (writing.isUnlocked) {
    return (
      <div className="objects-moment objects-unlocked" role="status">
        <span>Writing is unlocked. The object is reset after each change, so that its code sees it.</span>
        <Button onClick={() => writing.setUnlocked(false)}>Lock</Button>
      </div>
    );
  }
  return (
    <div className="row objects-locked">
      <span className="soft">Read only until you unlock it.</span>
      <Button onClick={() => setIsOpen(true)}>Unlock writing…</Button>
      <Confirm
        title="Unlock writing?"
        action="Unlock"
        isOpen={isOpen}
        onClose={close}
        isDisabled={typed !== object.confirm}
        onConfirm={() => {
          writing.setUnlocked(true);
          close();
        }}
      >
        <p>
          What you run and save from then on changes the object itself, at once.
          {object.storage === 'sql' && ' Each change can be undone, here and in its history.'}
          {object.zone_name !== undefined &&
            ' Nothing checks that the zone still makes sense to the firewall afterwards.'}
        </p>
        <Field label={`Type ${object.confirm} to confirm`}>
          <TextInput
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
      </Confirm>
    </div>
  );
}
