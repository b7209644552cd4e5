/** An expression as text: completion, hover, and errors at the character. The zone is that of the open page. */
import './expression-editor.css';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useId } from 'react';
import { lazyEditor } from '../text-editor/lazy-editor.tsx';
import { type Assistance, type ExpressionKind, useAssistance } from './assist.ts';

const CodeEditor = lazyEditor(async () => (await import('./code-editor.tsx')).CodeEditor);

interface ExpressionEditorProps extends ExpressionKind {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  /** As low as a text field; it grows with its text. */
  readonly isLow?: boolean;
  readonly placeholder?: string;
  /** Called for Enter, which then inserts no line break. */
  readonly onEnter?: () => void;
}

export function ExpressionEditor(props: ExpressionEditorProps) {
  const { value, phase, about, isLow = false } = props;
  const { zoneId = '' } = useParams({ strict: false });
  const assistance = useAssistance(zoneId, value, { phase, about });
  const id = useId();
  return (
    <div>
      <div className="code-frame" data-low={isLow} data-invalid={hasError(assistance) && value !== ''}>
        <Suspense fallback={<div className="code-waiting" role="status" aria-label="Loading the editor" />}>
          <CodeEditor {...props} zoneId={zoneId} assistance={assistance} describedBy={id} />
        </Suspense>
      </div>
      <Problems id={id} assistance={assistance} expression={value} />
    </div>
  );
}

interface ExpressionFieldProps extends ExpressionEditorProps {
  readonly hint?: ReactNode;
}

/** The editor as a field of a form. */
export function ExpressionField({ hint, ...editor }: ExpressionFieldProps) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {editor.label}
      </span>
      <ExpressionEditor {...editor} />
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </div>
  );
}

export function hasError(assistance: Assistance | undefined): boolean {
  return assistance?.diagnostics.some(({ severity }) => severity === 'error') ?? false;
}

interface ProblemsProps {
  readonly id: string;
  readonly assistance: Assistance | undefined;
  readonly expression: string;
}

/** Occupies one line even without problems, so that the layout is stable while the user types. */
function Problems({ id, assistance, expression }: ProblemsProps) {
  const shown = expression.trim() === '' ? [] : (assistance?.diagnostics ?? []);
  return (
    <div id={id} className="code-problems" aria-live="polite">
      {shown.map(({ severity, message, hint, start }) => (
        <p key={`${start}-${message}`} className={`code-${severity}`}>
          {describePlace(expression, start)}: {message}
          {hint !== undefined && <span className="code-hint"> ({hint})</span>}
        </p>
      ))}
      {assistance?.failure !== undefined && (
        <p className="code-warning">The expression could not be checked: {assistance.failure}</p>
      )}
      {shown.length === 0 && (
        <p className="soft">
          {expression.trim() === '' ? 'Type a field name, or press Ctrl Space to see them all.' : ' '}
        </p>
      )}
    </div>
  );
}

function describePlace(expression: string, start: number): string {
  const before = expression.slice(0, start).split('\n');
  const column = before.at(-1)!.length + 1;
  return before.length === 1 ? `Character ${column}` : `Line ${before.length}, character ${column}`;
}
