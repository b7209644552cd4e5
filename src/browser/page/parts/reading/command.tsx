/** A terminal command to copy. */
import { CopyButton } from '../copy-button.tsx';
import { quote } from './shell-words.ts';

/** A curl call that sends JSON to the API, with the variables of `gatehouse env --for curl`. */
export function writeCurl(path: string, body: object | '@-'): string {
  const data = body === '@-' ? body : quote(JSON.stringify(body));
  return `curl -H "$AUTHORIZATION" -H 'Content-Type: application/json' "$API${path}" -d ${data}`;
}

export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton label="Copy" text={() => text} />
    </div>
  );
}
