/** A command for the terminal, to copy. */
import { CopyButton } from '../copy-button.tsx';

/** A call of the API, with the variables of `gatehouse env --for curl`. */
export function writeCurl(path: string, body: object): string {
  return `curl -H "$AUTHORIZATION" "$API${path}" -d '${JSON.stringify(body)}'`;
}

export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton label="Copy" text={() => text} />
    </div>
  );
}
