/**
 * The steps in order: moments of a story, or points of an object's history. Each opens to show its changes, and can be
 * compared with any other.
 */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Select } from '../../../parts/forms/field.tsx';
import { joinClasses } from '../../../parts/join-classes.ts';

export interface ListedStep {
  readonly key: string;
  /** A one-line name, for the list of choices. */
  readonly name: string;
  /** Three cells; the last one contains the button that opens the step. */
  readonly cells: (opener: ReactNode) => ReactNode;
  readonly className?: string | false;
}

interface StepListProps {
  readonly label: string;
  readonly className?: string;
  readonly order: 'oldest first' | 'newest first';
  readonly steps: readonly ListedStep[];
  /** Undefined: from the start, when nothing was stored. */
  readonly compare: (before: ListedStep | undefined, after: ListedStep) => ReactNode;
}

export function StepList({ label, className, order, steps, compare }: StepListProps) {
  const [open, setOpen] = useState<string>();
  const inTime = order === 'oldest first' ? steps : steps.toReversed();
  return (
    <ol className={joinClasses('objects-timeline', className)} aria-label={label}>
      {steps.map((step) => {
        const isOpen = step.key === open;
        const opener = (
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-label={`What changed: ${step.name}`}
            onClick={() => setOpen(isOpen ? undefined : step.key)}
          >
            What changed
          </Button>
        );
        return (
          <li key={step.key} className={joinClasses('objects-point', step.className)}>
            {step.cells(opener)}
            {isOpen && <OpenStep {...{ inTime, step, compare }} onOpen={setOpen} />}
          </li>
        );
      })}
    </ol>
  );
}

interface OpenStepProps extends Pick<StepListProps, 'compare'> {
  readonly inTime: readonly ListedStep[];
  readonly step: ListedStep;
  readonly onOpen: (key: string) => void;
}

/** The default choice. */
const stepBefore = '';

function OpenStep({ inTime, step, compare, onOpen }: OpenStepProps) {
  const [other, setOther] = useState<string>(stepBefore);
  const place = inTime.indexOf(step);
  const [previous, next] = [inTime[place - 1], inTime[place + 1]];
  const otherPlace = inTime.findIndex(({ key }) => key === other);
  const isEarlier = otherPlace < place;
  const compared = other === stepBefore ? previous : inTime[otherPlace];
  return (
    <section className="stack-close objects-open-step" aria-label={`What changed at ${step.name}`}>
      <div className="row">
        <Button size="small" disabled={previous === undefined} onClick={() => onOpen(previous!.key)}>
          Previous step
        </Button>
        <Button size="small" disabled={next === undefined} onClick={() => onOpen(next!.key)}>
          Next step
        </Button>
        <span>
          Step {place + 1} of {inTime.length}, compared with
        </span>
        <Select aria-label="Compared with" className="objects-other-step" value={other} onChange={setOther}>
          <option value={stepBefore}>the step before</option>
          {inTime.map(
            ({ key, name }, index) =>
              key !== step.key && (
                <option key={key} value={key}>
                  {index + 1}. {name}
                </option>
              ),
          )}
        </Select>
      </div>
      {isEarlier || compared === undefined ? compare(compared, step) : compare(step, compared)}
    </section>
  );
}
