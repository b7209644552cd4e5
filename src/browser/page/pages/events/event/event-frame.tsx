/** The frame of an event: beside the list if there is space for both, and above it on a smaller screen. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/forms/dialog.tsx';
import { useHasRoomBeside } from '../../../parts/use-width.ts';
import type { Walk } from '../use-walk.ts';

interface EventFrameProps {
  readonly title: string;
  readonly walk: Walk;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function EventFrame({ title, walk, onClose, children }: EventFrameProps) {
  const hasRoom = useHasRoomBeside();
  if (!hasRoom) {
    return (
      <Dialog title={title} onClose={onClose} isWide>
        <div className="row row-end event-dialog-head">
          <WalkButtons walk={walk} />
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </div>
        {children}
      </Dialog>
    );
  }
  return (
    <Beside title={title} walk={walk} onClose={onClose}>
      {children}
    </Beside>
  );
}

function Beside({ title, walk, onClose, children }: EventFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers announce what has opened; moving to another event keeps the keyboard focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside className="event-panel" aria-label={title}>
      <div className="event-panel-head row row-apart">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <div className="row">
          <WalkButtons walk={walk} />
          <Button
            size="small"
            look="quiet"
            onClick={onClose}
            title="Close (Esc)"
            aria-label="Close the event"
          >
            ×
          </Button>
        </div>
      </div>
      {children}
    </aside>
  );
}

function WalkButtons({ walk: { newer, older } }: Pick<EventFrameProps, 'walk'>) {
  return (
    <>
      <Button size="small" onClick={newer} disabled={newer === undefined} title="Newer event (k)">
        Newer
      </Button>
      <Button size="small" onClick={older} disabled={older === undefined} title="Older event (j)">
        Older
      </Button>
    </>
  );
}
