/** A text of any length: short ones stay on one line, long ones open on demand. */
const shortMax = 40;
const openMax = 240;

export function LongText({ text }: { readonly text: string }) {
  if (text.length <= shortMax && !text.includes('\n')) return <span className="objects-short">{text}</span>;
  if (text.length <= openMax) return <span className="objects-text">{text}</span>;
  return (
    <details className="objects-text">
      <summary>{text.slice(0, openMax)}…</summary>
      {text.slice(openMax)}
    </details>
  );
}
