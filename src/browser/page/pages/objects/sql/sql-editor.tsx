/** CodeMirror for SQL, in a separate chunk: loaded when the console is shown. */
import { autocompletion } from '@codemirror/autocomplete';
import { sql, SQLDialect, SQLite } from '@codemirror/lang-sql';
import { syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createEditor, showText } from '../../../parts/text-editor/create-editor.ts';

export interface SqlEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called with the text of the editor, which may be newer than the page's. */
  readonly onRun: (text: string) => void;
  readonly label: string;
  /** The id of the element with the error message. */
  readonly describedBy: string;
  /** The columns of each table, for completion. */
  readonly schema: Readonly<Record<string, readonly string[]>>;
  /** The error, and the character at which it starts. */
  readonly mistake: { readonly at: number; readonly message: string } | undefined;
}

/** The types of SQLite, and a keyword that the dialect lacks. */
const dialect = SQLDialect.define({
  ...SQLite.spec,
  keywords: `${SQLite.spec.keywords ?? ''} returning strict`,
  types: 'any blob integer numeric real text',
});

export function SqlEditor(props: SqlEditorProps) {
  const { value, label, describedBy, schema, mistake } = props;
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const language = useRef(new Compartment());
  const onChange = useEffectEvent((text: string) => props.onChange(text));
  const onRun = useEffectEvent((text: string) => props.onRun(text));
  const getValue = useEffectEvent(() => value);
  useEffect(() => {
    const run = ({ state }: EditorView): boolean => {
      onRun(state.doc.toString());
      return true;
    };
    const view = createEditor({
      parent: frame.current!,
      text: getValue(),
      onChange: (text) => onChange(text),
      label,
      describedBy,
      extensions: [
        language.current.of(sql({ dialect })),
        syntaxHighlighting(classHighlighter),
        autocompletion({ icons: false }),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        theme,
      ],
    });
    editor.current = view;
    return () => view.destroy();
  }, [label, describedBy]);

  useEffect(() => showText(editor.current!, value), [value]);

  useEffect(() => {
    const known = Object.fromEntries(Object.entries(schema).map(([name, columns]) => [name, [...columns]]));
    const effects = language.current.reconfigure(sql({ dialect, schema: known }));
    editor.current!.dispatch({ effects });
  }, [schema]);

  useEffect(() => {
    const { state } = editor.current!;
    const from = Math.max(0, Math.min(mistake?.at ?? 0, state.doc.length - 1));
    const to = state.wordAt(from)?.to ?? Math.min(from + 1, state.doc.length);
    const diagnostics =
      mistake === undefined ? [] : [{ from, to, severity: 'error' as const, message: mistake.message }];
    editor.current!.dispatch(setDiagnostics(state, diagnostics));
  }, [mistake]);
  return <div ref={frame} className="code-editor objects-editor" />;
}

const theme = EditorView.theme({
  '.cm-scroller': { maxHeight: '40vh', overflow: 'auto' },
  '.cm-content': { minHeight: '96px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '14em' },
});
