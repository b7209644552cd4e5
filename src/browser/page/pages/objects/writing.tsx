/** Writing to an object is locked until its name is typed, and stays unlocked while the object is open. */
import { Button } from '../../parts/button.tsx';
import { Confirm, DialogButton } from '../../parts/forms/dialog.tsx';
import type { StatefulObject } from './object-queries.ts';

/** The context of the parts of an object for writing. */
export interface Writing {
  readonly isUnlocked: boolean;
  readonly setUnlocked: (isUnlocked: boolean) => void;
}

/** The properties of every part of an object. */
export interface PartProps {
  /** The moment that is compared with the current state. */
  readonly at: string | undefined;
  readonly object: StatefulObject;
  readonly writing: Writing;
}

export function WritingBar({ object, writing }: Omit<PartProps, 'at'>) {
  if (!object.is_writable) {
    return (
      <p className="soft">Read only: {object.write_refusal ?? 'this object must not be changed here'}.</p>
    );
  }
  if (writing.isUnlocked) {
    return (
      <div className="banner banner-warn" role="status">
        <span>Writing is unlocked. The object is reset after each change, so that its code sees it.</span>
        <Button onClick={() => writing.setUnlocked(false)}>Lock</Button>
      </div>
    );
  }
  return (
    <div className="row">
      <span className="soft">Read only until you unlock it.</span>
      <DialogButton label="Unlock writing…">
        {(close) => (
          <Confirm
            title="Unlock writing?"
            action="Unlock"
            typed={object.confirm}
            onClose={close}
            onConfirm={() => writing.setUnlocked(true)}
          >
            <p>
              From then on, statements that you run and values that you save change the object at once.
              {object.storage === 'sql' && ' Each change can be undone, here and in its history.'}
              {object.zone_name !== undefined &&
                ' Nothing checks that the zone is still valid for the firewall afterwards.'}
            </p>
          </Confirm>
        )}
      </DialogButton>
    </div>
  );
}
