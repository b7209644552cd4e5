/**
 * The editor itself applies edits that replace or delete text. Otherwise the browser applies them to the document and
 * copies the style of the replaced text into an inline style, which the policy of the page forbids.
 *
 * The selection of the document is replaced: the editor is notified of a selection by a script or an assistive tool
 * only after the event, and the event has no ranges for plain text.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export const ownEdits: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType } = event;
    // Formatting such as bold text, which a plain text editor does not support.
    if (inputType.startsWith('format')) return prevent(event);
    const text = findText(event);
    // The browser handles the composition of an input method until it ends.
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

/** The replacement for the selection; undefined for other edits. */
function findText({ inputType, data }: InputEvent): string | undefined {
  if (inputType.startsWith('delete')) return '';
  return inputType === 'insertText' ? (data ?? undefined) : undefined;
}

/** Undefined if nothing is selected. The placeholder of an empty editor can be selected, too, but is not text. */
function findMarked(view: EditorView): { from: number; to: number } | undefined {
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (selection === null || selection.isCollapsed) return undefined;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!view.contentDOM.contains(startContainer) || !view.contentDOM.contains(endContainer)) return undefined;
  return { from: view.posAtDOM(startContainer, startOffset), to: view.posAtDOM(endContainer, endOffset) };
}
