/**
 * Edits that replace or delete text are made by the editor. Left to it, the browser makes them in the document and copies
 * the look of what was there into an inline style, which the policy of the page forbids.
 *
 * What is replaced is what is marked in the document: the editor learns of a selection that a script or an assistive tool
 * has made only after the event, and the event has no ranges where text is plain.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export const ownEdits: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType } = event;
    // Bold text and the like: an editor of plain text has none.
    if (inputType.startsWith('format')) return prevent(event);
    const text = findText(event);
    // What an input method composes is the browser's until it is done.
    if (text === undefined || event.isComposing || view.composing) return false;
    const marked = findMarked(view);
    if (marked === undefined) return false;
    view.dispatch({
      changes: { ...marked, insert: text },
      selection: { anchor: marked.from + text.length },
      userEvent: text === '' ? 'delete.selection' : 'input.type',
      scrollIntoView: true,
    });
    return prevent(event);
  },
});

function prevent(event: InputEvent): true {
  event.preventDefault();
  return true;
}

/** What comes in place of what is marked; undefined for other edits. */
function findText({ inputType, data }: InputEvent): string | undefined {
  if (inputType.startsWith('delete')) return '';
  return inputType === 'insertText' ? (data ?? undefined) : undefined;
}

/** Undefined if nothing is. The placeholder of an empty editor can be marked, too, and is no text. */
function findMarked(view: EditorView): { from: number; to: number } | undefined {
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (selection === null || selection.isCollapsed) return undefined;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!view.contentDOM.contains(startContainer) || !view.contentDOM.contains(endContainer)) return undefined;
  return { from: view.posAtDOM(startContainer, startOffset), to: view.posAtDOM(endContainer, endOffset) };
}
