/** An expression, in the builder or as text. The builder is offered if it can show the complete expression. */
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../button.tsx';
import { useAssistance, useFields } from './assist.ts';
import { type Groups, isIncomplete, readGroups, writeGroups } from './conditions.ts';
import { ExpressionBuilder, firstCondition } from './expression-builder.tsx';
import { ExpressionEditor } from './expression-editor.tsx';

interface ConditionEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
}

/** The content of the builder, and its text: a different text was written elsewhere. */
interface Built {
  readonly groups: Groups;
  readonly text: string;
}

export function ConditionEditor({ value, onChange, label }: ConditionEditorProps) {
  const { zoneId = '' } = useParams({ strict: false });
  const fields = useFields(zoneId);
  const assistance = useAssistance(zoneId, value);
  const [mode, setMode] = useState<'builder' | 'text'>(value === '' ? 'builder' : 'text');
  const [built, setBuilt] = useState<Built>({ groups: [[firstCondition]], text: value });
  const types = useMemo(() => new Map(fields.map(({ name, type }) => [name, type])), [fields]);
  const readable = useMemo(
    () => (value === '' ? [[firstCondition]] : readGroups(assistance?.tree, types)),
    [value, assistance, types],
  );
  const isBuilder = mode === 'builder' && built.text === value;
  const build = (groups: Groups): void => {
    const text = writeGroups(groups);
    setBuilt({ groups, text });
    onChange(text);
  };
  const openBuilder = (): void => {
    setBuilt({ groups: readable!, text: value });
    setMode('builder');
  };
  return (
    <div className="stack-close">
      <div className="row" role="group" aria-label="How to write it">
        <Button
          aria-pressed={isBuilder}
          disabled={!isBuilder && readable === undefined}
          onClick={openBuilder}
        >
          Builder
        </Button>
        <Button aria-pressed={!isBuilder} onClick={() => setMode('text')}>
          Text
        </Button>
        {!isBuilder && assistance?.tree != null && readable === undefined && (
          <span className="soft">The builder cannot show this expression; edit it as text.</span>
        )}
      </div>
      {isBuilder ? (
        <div className="stack-close">
          <ExpressionBuilder groups={built.groups} fields={fields} onChange={build} />
          <BuiltText built={built} message={assistance?.diagnostics[0]?.message} />
        </div>
      ) : (
        <ExpressionEditor value={value} onChange={onChange} label={label} />
      )}
    </div>
  );
}

function BuiltText({ built, message }: { readonly built: Built; readonly message: string | undefined }) {
  const isWaiting = built.groups.some((group) => group.some(isIncomplete));
  return (
    <div>
      <pre className="block">{writeGroups(built.groups)}</pre>
      <div className="code-problems" aria-live="polite">
        {isWaiting ? (
          <p className="soft">Give each condition a value.</p>
        ) : (
          <p className="code-error">{message ?? ' '}</p>
        )}
      </div>
    </div>
  );
}
